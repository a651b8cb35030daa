//! Players that see nothing but the observation row and the mask, so they are fair and sit anywhere.
//!
//! `weighted` draws at random with a taste for building; `greedy` looks one step ahead with a linear value
//! function whose weights are frozen; the genome is the same player with free weights. The tables of features
//! and genes are [`FEATURES`] and [`GENES`].

mod anchor;
mod features;
mod genes;
mod player;
mod trade;
mod view;
mod weighted;

pub use anchor::GREEDY;
pub use features::{FEATURES, Feature};
pub use genes::{GENES, genes_markdown};
pub use player::Player;
pub use weighted::Weighted;

use rl_gym::{Bot, Genome, Policy, Spec};

/// The players that come with the game, weakest first. Both are anchors: their behaviour never changes.
pub fn bots() -> Vec<Bot> {
    vec![
        Bot {
            name: "weighted",
            version: 1,
            summary: "random, but a city is 10000, a settlement 1000 and a development card 100 times as likely",
            anchor: true,
            make: |_| Box::new(Weighted),
        },
        Bot {
            name: "greedy",
            version: 1,
            summary: "takes the action whose next position it values most; hand-written linear value",
            anchor: true,
            make: |spec| make(spec, &GREEDY),
        },
    ]
}

/// Number of [`FEATURES`] that describe a position; those behind them describe an action.
pub(crate) const POSITION: usize = features::F::steal_cards as usize;

/// The features of the position that `row` shows, from the side of its viewer.
pub(crate) fn position(row: &[u8]) -> [f32; POSITION] {
    let view = view::View::read(row);
    let all = features::all(&view, &features::After::now(&view));
    std::array::from_fn(|i| all[i])
}

/// The trainable player: the value function of `greedy` with free weights.
pub fn genome() -> Genome {
    Genome { genes: &GENES, version: 1, make }
}

fn make(_spec: &Spec, values: &[f32]) -> Box<dyn Policy> {
    Box::new(Player::new(values))
}
