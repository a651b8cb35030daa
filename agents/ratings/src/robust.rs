//! Cluster-robust (sandwich) covariance: what the spread would be if whole blocks were drawn anew.

use nalgebra::DMatrix;

use crate::design::Touched;
use crate::newton::symmetrise;

/// `(block, item)` of every game, sorted by block.
pub(crate) type BlockItems = Vec<(u64, usize)>;

/// `bread x meat x bread` with the small-sample factor B/(B-1) x (N-1)/(N-K).
///
/// `games` holds `(block, item)` sorted by block; `add_score` adds the score of one item. B blocks,
/// N games, K fitted directions. `None` with fewer than two blocks, where no spread can be seen.
/// Source: Liang and Zeger 1986; the factor is the usual CR1 of Cameron and Miller 2015.
pub(crate) fn sandwich(
    bread: &DMatrix<f64>,
    fitted: usize,
    games: &[(u64, usize)],
    add_score: impl Fn(usize, &mut Touched),
) -> Option<DMatrix<f64>> {
    let blocks = count_blocks(games);
    if blocks < 2 {
        return None;
    }
    let mut meat = DMatrix::zeros(bread.nrows(), bread.nrows());
    let mut total = Touched::new(bread.nrows());
    for block in games.chunk_by(|a, b| a.0 == b.0) {
        block.iter().for_each(|&(_, item)| add_score(item, &mut total));
        for &i in &total.indices {
            for &j in &total.indices {
                meat[(j, i)] += total.values[i] * total.values[j];
            }
        }
        total.clear();
    }
    let games = games.len() as f64;
    let spare = (games - fitted as f64).max(1.0);
    let factor = blocks as f64 / (blocks as f64 - 1.0) * (games - 1.0) / spare;
    let mut covariance = bread * meat * bread * factor;
    symmetrise(&mut covariance);
    Some(covariance)
}

/// Number of distinct blocks in a list sorted by block.
pub(crate) fn count_blocks(games: &[(u64, usize)]) -> usize {
    games.chunk_by(|a, b| a.0 == b.0).count()
}
