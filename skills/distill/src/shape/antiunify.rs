//! What instances of one pattern have in common: the least general sequence that covers them all.

/// What stands at one place of a generalised sequence of arguments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Slot {
    /// The same argument in every instance.
    Constant(u16),
    /// Something that differs; places with the same number agree with each other in every instance.
    Variable(usize),
}

/// The least general generalisation of `instances`, argument lists of the same length. `sorts` gives the kind of each
/// place: only places of the same kind can agree. With `tolerance` 1 it covers every instance exactly; below, a place
/// is constant, or agrees with an earlier one, as soon as that share of the instances says so.
///
/// Variables are numbered in the order in which they occur. Lists that are too short leave their places out of account.
pub fn anti_unify(instances: &[Vec<u16>], sorts: &[usize], tolerance: f64) -> Vec<Slot> {
    let enough = |count: usize| count > 0 && count as f64 >= tolerance * instances.len() as f64;
    let agree = |a: usize, b: usize| {
        enough(instances.iter().filter(|i| i.get(a).is_some() && i.get(a) == i.get(b)).count())
    };
    let mut slots: Vec<Slot> = Vec::with_capacity(sorts.len());
    let mut first: Vec<usize> = Vec::new();
    for (place, sort) in sorts.iter().enumerate() {
        if let Some((value, count)) = most_common(instances, place)
            && enough(count)
        {
            slots.push(Slot::Constant(value));
            continue;
        }
        let same = first.iter().position(|at| sorts[*at] == *sort && agree(*at, place));
        slots.push(Slot::Variable(same.unwrap_or_else(|| {
            first.push(place);
            first.len() - 1
        })));
    }
    slots
}

/// The commonest argument at a place, the least of equally common ones, and how often it stands there.
pub(crate) fn most_common(instances: &[Vec<u16>], place: usize) -> Option<(u16, usize)> {
    let mut values: Vec<u16> = instances.iter().filter_map(|i| i.get(place).copied()).collect();
    values.sort_unstable();
    let groups = values.chunk_by(|a, b| a == b).map(|g| (g[0], g.len()));
    groups.reduce(|best, next| if next.1 > best.1 { next } else { best })
}
