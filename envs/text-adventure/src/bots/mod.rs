//! Players that see nothing but the observation row and the mask, so they are fair and sit anywhere.
//!
//! All but the planner are one linear scorer of the listed actions ([`Player`]) with weights of their own; the genome
//! is the same player with free weights. The table of features is [`FEATURES`].

mod features;
mod mind;
mod player;
mod weights;

pub use features::{FEATURES, Feature};
pub use player::{Planner, Player, Weights};

use rl_gym::{Bot, Gene, Genome, Policy, Spec};

/// The players that come with the game, weakest first. Greedy and explorer are anchors: their behaviour never changes.
pub fn bots() -> Vec<Bot> {
    let bot = |name, anchor, summary, make| Bot { name, version: 1, summary, anchor, make };
    vec![
        bot("greedy", true, "takes and banks what it sees, walks at random", |_| scorer(&weights::GREEDY)),
        bot("blocker", false, "explores, shuts doors and takes from others", |_| scorer(&weights::BLOCKER)),
        bot("trader", false, "explores, and trades when the offer pays", |_| scorer(&weights::TRADER)),
        bot("explorer", true, "maps the world, opens what is shut, carries treasure home", |_| {
            scorer(&weights::EXPLORER)
        }),
        bot("planner", false, "full information: follows the planner's advice, needs advice=on", |_| {
            Box::new(Planner)
        }),
    ]
}

/// The trainable player: the scorer with free weights.
pub fn genome() -> Genome {
    Genome { genes: &GENES, version: 1, make }
}

fn make(_spec: &Spec, values: &[f32]) -> Box<dyn Policy> {
    scorer(values)
}

fn scorer(weights: &[f32]) -> Box<dyn Policy> {
    Box::new(Player::new(weights))
}

/// Every gene in order: a weight for each feature under its name.
pub static GENES: [Gene; features::COUNT] = {
    let mut genes = [Gene { name: "", low: -16.0, high: 16.0, meaning: "" }; features::COUNT];
    let mut i = 0;
    while i < features::COUNT {
        genes[i].name = FEATURES[i].name;
        genes[i].meaning = FEATURES[i].meaning;
        i += 1;
    }
    genes
};

/// The table of genes as Markdown, as the README holds it, with the weights of two anchors.
pub fn genes_markdown() -> String {
    let mut out = String::from("| gene | greedy | explorer | weight of |\n|---|---|---|---|\n");
    for (i, gene) in GENES.iter().enumerate() {
        let (greedy, explorer) = (weights::GREEDY[i], weights::EXPLORER[i]);
        out += &format!("| `{}` | {greedy} | {explorer} | {} |\n", gene.name, gene.meaning);
    }
    out
}
