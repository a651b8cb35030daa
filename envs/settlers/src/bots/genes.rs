//! The genes: a weight for each feature, and a few numbers of style.

use super::features::{COUNT, FEATURES};
use rl_gym::Gene;

/// Numbers of style behind the weights.
pub(super) const STYLES: usize = 5;

/// Number of genes.
pub(super) const GENE_COUNT: usize = COUNT + STYLES;

const fn style(name: &'static str, high: f32, meaning: &'static str) -> Gene {
    Gene { name, low: 0.0, high, meaning }
}

const STYLE_GENES: [Gene; STYLES] = [
    style("accept_gain", 0.5, "least gain of own value for which an offer of another seat is accepted"),
    style("offer_gain", 0.5, "least gain of own value for which an offer is made"),
    style("offer_two", 1.0, "above one half, offers of two cards for one are made too"),
    style("offer_eager", 1.0, "share of the allowed offers that are used (rounded up)"),
    style("leader_aversion", 0.5, "gain asked on top from a partner, times its share of the target squared"),
];

/// Every gene in order: a weight in -1..=1 for each feature under its name, then the style.
pub static GENES: [Gene; GENE_COUNT] = {
    let mut genes = [STYLE_GENES[0]; GENE_COUNT];
    let mut i = 0;
    while i < COUNT {
        genes[i] = Gene { name: FEATURES[i].name, low: -1.0, high: 1.0, meaning: FEATURES[i].meaning };
        i += 1;
    }
    while i < GENE_COUNT {
        genes[i] = STYLE_GENES[i - COUNT];
        i += 1;
    }
    genes
};

/// The table as Markdown, as the README holds it, with the weights of the anchor.
pub fn genes_markdown() -> String {
    let mut out = String::from("| gene | range | greedy | meaning |\n|---|---|---|---|\n");
    for (gene, value) in GENES.iter().zip(super::GREEDY) {
        out += &format!("| `{}` | {}..={} | {value} | {} |\n", gene.name, gene.low, gene.high, gene.meaning);
    }
    out
}

/// How the player trades.
#[derive(Clone, Copy, Debug)]
pub(super) struct Style {
    pub(super) accept_gain: f32,
    pub(super) offer_gain: f32,
    pub(super) offer_two: bool,
    pub(super) offer_eager: f32,
    pub(super) leader_aversion: f32,
}

/// Weights and style from one value a gene, each clamped to its range; what is missing is 0.
pub(super) fn split(values: &[f32]) -> ([f32; COUNT], Style) {
    let gene = |i: usize| {
        let value: f32 = values.get(i).copied().unwrap_or(0.0);
        let value = if value.is_nan() { 0.0 } else { value };
        value.clamp(GENES[i].low, GENES[i].high)
    };
    let style = Style {
        accept_gain: gene(COUNT),
        offer_gain: gene(COUNT + 1),
        offer_two: gene(COUNT + 2) > 0.5,
        offer_eager: gene(COUNT + 3),
        leader_aversion: gene(COUNT + 4),
    };
    (std::array::from_fn(gene), style)
}
