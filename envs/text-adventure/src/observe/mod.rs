//! What a seat may see, as a row of bytes ([`PARTS`]) and in full ([`Observation`]).

mod fields;
mod request;
mod tokens;
mod view;
mod write;

pub use fields::{
    ACTIONS, COLUMNS, Column, DIR_CODE, ENTITY_ROWS, NO_ROW, OBS_LEN, PARTS, Part, Sight, TOPIC_CODE, WORDS,
    at, col, observation_markdown, space,
};
pub use request::{FactTriple, Observation, Wish, Wishes};
pub(crate) use tokens::Tokens;
pub use tokens::word_id;
pub use view::{Choice, Seen, View};
pub(crate) use write::{OBJECTS, mask_list, mask_triple, object, write};
