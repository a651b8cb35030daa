//! Evolution of genomes: searches over the unit box that are told who did best among their candidates.

mod cma;
mod pbt;
mod plain;

pub use cma::Cma;
pub use pbt::Pbt;
pub use plain::Plain;

use crate::error::LeagueError;
use rl_gym::{Gene, Pcg64};
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

/// How candidates follow from those before them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SearchKind {
    /// Covariance matrix adaptation: a distribution that learns its shape and step size. The default.
    #[default]
    Cma,
    /// A plain evolution strategy: a centre and one step size, no shape.
    Plain,
    /// Population based training: the better half stays, the worse half becomes changed copies of it.
    Pbt,
}

impl SearchKind {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Cma, Self::Plain, Self::Pbt];

    /// The word in settings.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Cma => "cma",
            Self::Plain => "plain",
            Self::Pbt => "pbt",
        }
    }
}

impl fmt::Display for SearchKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

impl FromStr for SearchKind {
    type Err = LeagueError;

    fn from_str(text: &str) -> Result<Self, LeagueError> {
        let known = Self::ALL.map(Self::word);
        Self::ALL.into_iter().find(|kind| kind.word() == text).ok_or_else(|| LeagueError::Request {
            what: format!("search = {text} is none of {}", known.join(", ")),
        })
    }
}

/// The state of a search: everything that its next generation follows from, exact under JSON.
///
/// Candidates keep their place: number `i` of one generation and of the next are the same player where
/// [`Search::is_new`] says no.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
// Stores of all builds hold the bare state of a CMA; the fields of the three tell them apart.
#[serde(untagged)]
pub enum Search {
    /// See [`SearchKind::Cma`].
    Cma(Cma),
    /// See [`SearchKind::Pbt`].
    Pbt(Pbt),
    /// See [`SearchKind::Plain`].
    Plain(Plain),
}

impl Search {
    /// A search over `dimensions` numbers with `population` candidates a generation. The first generation of every
    /// kind is uniform over the box.
    pub fn new(kind: SearchKind, dimensions: usize, population: usize) -> Self {
        match kind {
            SearchKind::Cma => Self::Cma(Cma::new(dimensions, population)),
            SearchKind::Plain => Self::Plain(Plain::new(dimensions, population)),
            SearchKind::Pbt => Self::Pbt(Pbt::new(dimensions, population)),
        }
    }

    /// The candidates of this generation, each inside the unit box. Equal states and generators give equal ones.
    pub fn ask(&mut self, rng: &mut Pcg64) -> Vec<Vec<f64>> {
        match self {
            Self::Cma(search) => search.ask(rng),
            Self::Plain(search) => search.ask(rng),
            Self::Pbt(search) => search.ask(rng),
        }
    }

    /// Learns from the fitness (greater is better) of the candidates that [`Search::ask`] gave.
    ///
    /// # Panics
    /// When the counts differ, which is a bug of the caller.
    pub fn tell(&mut self, candidates: &[Vec<f64>], fitness: &[f64]) {
        assert_eq!(candidates.len(), fitness.len(), "one fitness a candidate");
        match self {
            Self::Cma(search) => search.tell(candidates, fitness),
            Self::Plain(search) => search.tell(candidates, fitness),
            Self::Pbt(search) => search.tell(fitness),
        }
    }

    /// The point that a champion is frozen from: what the search holds for best with the luck of single games
    /// averaged out.
    pub fn steady(&self) -> Vec<f64> {
        match self {
            Self::Cma(search) => search.steady.clone(),
            Self::Plain(search) => search.steady.clone(),
            Self::Pbt(search) => search.steady(),
        }
    }

    /// Step size, in box widths: of the next candidates, or the spread of the members where there is none.
    pub fn sigma(&self) -> f64 {
        match self {
            Self::Cma(search) => search.sigma,
            Self::Plain(search) => search.sigma,
            Self::Pbt(search) => search.spread(),
        }
    }

    /// Whether candidate `i` of the coming generation is somebody else than candidate `i` of the last one.
    pub fn is_new(&self, i: usize) -> bool {
        match self {
            Self::Cma(_) | Self::Plain(_) => true,
            Self::Pbt(search) => search.is_new(i),
        }
    }
}

/// The step size never falls below this: under the noise of games it would shrink until candidates cannot be told apart.
const LEAST_SIGMA: f64 = 0.05;
/// Step size of the first generation that is drawn around a centre.
const FIRST_SIGMA: f64 = 0.25;
/// Weight of the newest centre in the running mean of centres.
const NEWEST_WEIGHT: f64 = 0.1;

/// Points spread evenly over the box.
fn uniform(count: usize, dimensions: usize, rng: &mut Pcg64) -> Vec<Vec<f64>> {
    (0..count).map(|_| (0..dimensions).map(|_| rng.unit()).collect()).collect()
}

/// A number moved to the edge of the box when it lies outside.
const fn inside(x: f64) -> f64 {
    x.clamp(0.0, 1.0)
}

/// Candidates by falling fitness; of equals the first stays first.
fn best_first(fitness: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..fitness.len()).collect();
    order.sort_by(|a, b| fitness[*b].total_cmp(&fitness[*a]).then(a.cmp(b)));
    order
}

/// Moves the running mean of centres to the newest one. Young centres are far off: the first counts whole, and
/// memory grows with age.
fn settle(steady: &mut [f64], centre: &[f64], generation: u32) {
    let weight = (3.0 / f64::from(generation + 2)).max(NEWEST_WEIGHT);
    steady.iter_mut().zip(centre).for_each(|(s, c)| *s += weight * (c - *s));
}

/// Numbers of the unit box as values of genes.
pub fn to_genes(point: &[f64], genes: &[Gene]) -> Vec<f32> {
    point.iter().zip(genes).map(|(x, g)| g.low + (g.high - g.low) * *x as f32).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The best score (least) that `kind` settles on over 12 numbers.
    fn minimise(kind: SearchKind, generations: u32, score: impl Fn(&[f64]) -> f64) -> f64 {
        let mut search = Search::new(kind, 12, 16);
        for g in 0..generations {
            let points = search.ask(&mut Pcg64::seed(u64::from(g)));
            let fitness: Vec<f64> = points.iter().map(|p| -score(p)).collect();
            search.tell(&points, &fitness);
        }
        score(&search.steady())
    }

    #[test]
    fn every_kind_finds_the_bottom_of_a_bowl() {
        // The mean score of the start is 12 x (1/12 + 0.2^2) = 1.48.
        let bowl = |p: &[f64]| p.iter().map(|x| (x - 0.3).powi(2)).sum::<f64>();
        for kind in SearchKind::ALL {
            let found = minimise(kind, 120, bowl);
            assert!(found < 0.08, "{kind}: {found}");
        }
    }

    #[test]
    fn only_a_search_with_a_shape_follows_a_bent_valley() {
        let valley = |p: &[f64]| {
            p.iter().enumerate().map(|(i, x)| 10f64.powi(i as i32 % 4) * (x - 0.3).powi(2)).sum::<f64>()
        };
        let of = |kind| minimise(kind, 150, valley);
        assert!(of(SearchKind::Cma) < of(SearchKind::Plain).min(of(SearchKind::Pbt)));
    }

    #[test]
    fn every_kind_goes_on_exactly_after_json_and_knows_itself() {
        for kind in SearchKind::ALL {
            let mut search = Search::new(kind, 5, 8);
            for g in 0..4 {
                let points = search.ask(&mut Pcg64::seed(g));
                let fitness: Vec<f64> = points.iter().map(|p| p[0] - p[1]).collect();
                search.tell(&points, &fitness);
            }
            let json = serde_json::to_string(&search).expect("json");
            let mut back: Search = serde_json::from_str(&json).expect("back");
            assert_eq!(back, search, "{kind}");
            assert_eq!(back.ask(&mut Pcg64::seed(9)), search.ask(&mut Pcg64::seed(9)), "{kind}");
        }
    }

    #[test]
    fn the_state_of_an_older_store_is_that_of_a_cma() {
        let cma = Cma::new(3, 8);
        let json = serde_json::to_string(&cma).expect("json");
        assert_eq!(serde_json::from_str::<Search>(&json).expect("read"), Search::Cma(cma));
    }

    #[test]
    fn words_name_their_kind() {
        for kind in SearchKind::ALL {
            assert_eq!(kind.word().parse::<SearchKind>().expect("known"), kind);
            assert_eq!(serde_json::to_value(kind).expect("json"), kind.word());
        }
        let error = "hill".parse::<SearchKind>().expect_err("unknown").to_string();
        assert!(error.ends_with("search = hill is none of cma, plain, pbt"), "{error}");
    }
}
