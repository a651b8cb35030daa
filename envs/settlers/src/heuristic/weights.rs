//! Weights of the value function. Written by `cargo run --release -p agon-search --example fit`.

use super::INPUTS;

/// One weight an input, in the order of [`super::inputs`].
pub(super) static WEIGHTS: [f32; INPUTS] = [0.0; INPUTS];
