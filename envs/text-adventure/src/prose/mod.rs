//! What is told, in words that are data: canonical commands, reports, rooms, inventories, answers.

mod command;
#[allow(dead_code, unreachable_pub, reason = "what every named list has, whether it is asked for or not")]
mod line;
mod message;
mod names;
mod narrate;
mod room;
mod sentences;
mod template;

pub use command::{command_in, command_text};
pub use message::{ending, error, refused};
pub use narrate::{Style, narrate};
pub use room::{examine, inventory, room};

pub(crate) use line::Line;
pub(crate) use message::{ask_for, ask_which, assuming, first_doing, which_of_list};
pub(crate) use names::plural;
pub(crate) use sentences::Prose;
pub(crate) use template::Fill;
