//! What a seat can have counted: the deals that agree with all that it has seen, against a second way to find
//! them that knows nothing of how the first one works.

mod exact;
mod known;
mod play;
