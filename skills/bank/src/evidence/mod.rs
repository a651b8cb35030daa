//! Evidence: the numbers of one gate about one skill, from which the decision can be made again.

mod figures;
mod monitor;
mod record;
mod summary;

pub use figures::{
    Chance, Contract, Multiple, Regression, RegressionRule, Replay, ReplayRun, Retirement, Shadow,
    ShadowRule, Static, Uplift,
};
pub(crate) use monitor::signs;
pub use monitor::{Alarm, Monitor, MonitorRule, Outcome};
pub use record::{Evidence, Figures, Gate, Source};
