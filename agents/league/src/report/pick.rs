//! Which players a table shows when a run has too many for it.

use super::standings::Standings;

/// Rows of a table, strongest first: every anchor, and at most `most` champions: `best` (else the strongest), the
/// first, the newest, and others evenly between them by age.
pub(crate) fn pick(s: &Standings, best: Option<i64>, most: usize) -> Vec<usize> {
    let mut champions: Vec<usize> = (0..s.rows.len()).filter(|&i| s.rows[i].generation.is_some()).collect();
    let best = champions.iter().copied().find(|&i| Some(s.rows[i].id) == best).or(champions.first().copied());
    champions.sort_by_key(|&i| (s.rows[i].generation, s.rows[i].id));
    let mut kept = evenly(&champions, most);
    if let Some(best) = best.filter(|best| !kept.contains(best)) {
        let middle = kept.len() / 2;
        if let Some(place) = kept.get_mut(middle) {
            *place = best;
        }
    }
    (0..s.rows.len()).filter(|i| s.rows[*i].generation.is_none() || kept.contains(i)).collect()
}

/// At most `most` items, the first and the last among them.
fn evenly(items: &[usize], most: usize) -> Vec<usize> {
    if items.len() <= most {
        return items.to_vec();
    }
    let last = items.len() - 1;
    (0..most).map(|i| items[i * last / (most - 1).max(1)]).collect()
}

/// Every anchor and the strongest `most` champions.
pub(crate) fn strongest(s: &Standings, most: usize) -> Vec<usize> {
    let mut left = most;
    let is_shown = move |i: &usize| {
        let is_champion = s.rows[*i].generation.is_some();
        let shown = !is_champion || left > 0;
        left -= usize::from(is_champion && shown);
        shown
    };
    (0..s.rows.len()).filter(is_shown).collect()
}
