//! Re-Pair: the most frequent pair of neighbours becomes a symbol, again and again, while that shortens the whole.

/// What [`re_pair`] found.
#[derive(Clone, PartialEq, Debug)]
pub struct Grammar {
    /// Symbols below this are those of the input.
    pub terminals: u32,
    /// Rule `i` says what symbol `terminals + i` stands for.
    pub rules: Vec<(u32, u32)>,
    /// Times that each rule was applied.
    pub uses: Vec<usize>,
    /// The sequences, rewritten.
    pub sequences: Vec<Vec<u32>>,
}

impl Grammar {
    /// The input symbols that `symbol` stands for.
    pub fn expand(&self, symbol: u32) -> Vec<u32> {
        let (mut out, mut todo) = (Vec::new(), vec![symbol]);
        while let Some(next) = todo.pop() {
            match next.checked_sub(self.terminals).and_then(|i| self.rules.get(i as usize)) {
                Some((a, b)) => todo.extend([*b, *a]),
                None => out.push(next),
            }
        }
        out
    }
}

/// Rewrites `sequences` of symbols below `terminals`: at most `max_rules` rules, each applied at least `min_uses` times,
/// and never one that costs more bits than it saves. Of equally frequent pairs the least comes first.
///
/// A use saves one symbol, a rule costs two and its name, each log2 of the number of symbols: so a rule pays from the
/// fourth use on.
pub fn re_pair(sequences: Vec<Vec<u32>>, terminals: u32, max_rules: usize, min_uses: usize) -> Grammar {
    let mut grammar = Grammar { terminals, rules: Vec::new(), uses: Vec::new(), sequences };
    while grammar.rules.len() < max_rules {
        let symbols = terminals as usize + grammar.rules.len();
        let Some((pair, uses)) = most_frequent(&grammar.sequences, symbols) else { break };
        if uses < min_uses.max(2) || gain_bits(uses, 2, symbols) <= 0.0 {
            break;
        }
        let name = symbols as u32;
        grammar.sequences.iter_mut().for_each(|s| replace(s, pair, name));
        grammar.rules.push(pair);
        grammar.uses.push(uses);
    }
    grammar
}

/// Bits saved by naming a sequence of `length` symbols out of `symbols` that occurs `uses` times.
pub(crate) fn gain_bits(uses: usize, length: usize, symbols: usize) -> f64 {
    let bits = (symbols.max(2) as f64).log2();
    (uses as f64 * (length as f64 - 1.0) - (length as f64 + 1.0)) * bits
}

/// The pair that occurs most often without overlap, and how often.
fn most_frequent(sequences: &[Vec<u32>], symbols: usize) -> Option<((u32, u32), usize)> {
    let mut counts = vec![0u32; symbols * symbols];
    for sequence in sequences {
        // Of `aaa` only one pair can be replaced.
        let mut counted_at = None;
        for i in 1..sequence.len() {
            let (a, b) = (sequence[i - 1], sequence[i]);
            if a == b && counted_at == Some(i - 1) && sequence[i - 2] == a {
                continue;
            }
            counts[a as usize * symbols + b as usize] += 1;
            counted_at = Some(i);
        }
    }
    let (at, most) = counts.iter().enumerate().max_by_key(|(i, n)| (**n, std::cmp::Reverse(*i)))?;
    (*most > 0).then(|| (((at / symbols) as u32, (at % symbols) as u32), *most as usize))
}

/// Replaces a pair from left to right.
fn replace(sequence: &mut Vec<u32>, pair: (u32, u32), name: u32) {
    let (mut from, mut to) = (0, 0);
    while from < sequence.len() {
        if from + 1 < sequence.len() && (sequence[from], sequence[from + 1]) == pair {
            sequence[to] = name;
            from += 2;
        } else {
            sequence[to] = sequence[from];
            from += 1;
        }
        to += 1;
    }
    sequence.truncate(to);
}
