//! A conditional logit: which weights on a few features make the chosen actions the likely ones.

use super::sets::Sets;

/// Aspects with a weight, at most.
const MAX_WEIGHTS: usize = 4;
/// Strength of the pull of weights to zero, in standard units: keeps separable data finite.
const RIDGE: f64 = 0.05;
const NEWTON_STEPS: usize = 12;

/// Weights by aspect, in units of the aspect.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Logit {
    pub(crate) weights: Vec<(usize, f64)>,
    /// Log likelihood, in nats.
    pub(crate) fit: f64,
    /// Log likelihood of choosing blindly.
    pub(crate) blind: f64,
}

/// Adds aspects one by one, the one with the steepest likelihood first, while each is worth its place (BIC). `active`
/// says of each decision which of its actions take part.
pub(crate) fn fit(sets: &Sets, active: &[Vec<bool>]) -> Logit {
    let data = Data::new(sets, active);
    let blind = data.sets.iter().map(|s| -(s.rows.len() as f64).ln()).sum();
    let mut best = Logit { weights: Vec::new(), fit: blind, blind };
    let price = 0.5 * (data.sets.len().max(2) as f64).ln() + 1.0;
    let mut chosen: Vec<usize> = Vec::new();
    let mut beta: Vec<f64> = Vec::new();
    while chosen.len() < MAX_WEIGHTS {
        let Some(next) = data.steepest(&chosen, &beta) else { break };
        chosen.push(next);
        beta.push(0.0);
        let fitted = data.newton(&chosen, &mut beta);
        if fitted < best.fit + price {
            break;
        }
        let weights = chosen.iter().zip(&beta).map(|(a, b)| (*a, b / data.scale[*a]));
        best = Logit { weights: weights.collect(), fit: fitted, blind };
    }
    best
}

struct Data<'a> {
    sets: Vec<DataSet<'a>>,
    /// Standard deviation of each aspect within decisions; 0 for one that says nothing.
    scale: Vec<f64>,
}

struct DataSet<'a> {
    chosen: usize,
    rows: Vec<&'a [f32]>,
}

impl<'a> Data<'a> {
    fn new(sets: &'a Sets, active: &[Vec<bool>]) -> Self {
        let width = sets.width();
        let mut data = Vec::new();
        for (set, active) in sets.sets.iter().zip(active) {
            if !active[set.chosen] {
                continue;
            }
            let rows: Vec<&[f32]> =
                (0..active.len()).filter(|i| active[*i]).map(|i| set.row(i, width)).collect();
            let chosen = active[..set.chosen].iter().filter(|a| **a).count();
            if rows.len() > 1 {
                data.push(DataSet { chosen, rows });
            }
        }
        let mut scale = vec![0.0; width];
        for (a, scale) in scale.iter_mut().enumerate() {
            let (mut sum, mut n) = (0.0, 0.0);
            for set in &data {
                let count = set.rows.len() as f64;
                let mean = set.rows.iter().map(|r| f64::from(r[a])).sum::<f64>() / count;
                sum += set.rows.iter().map(|r| (f64::from(r[a]) - mean).powi(2)).sum::<f64>();
                n += count;
            }
            *scale = (sum / f64::max(n, 1.0)).sqrt();
        }
        Self { sets: data, scale }
    }

    /// Probabilities of the actions of a decision.
    fn shares(&self, set: &DataSet<'_>, chosen: &[usize], beta: &[f64], out: &mut Vec<f64>) {
        out.clear();
        let value = |row: &[f32]| -> f64 {
            chosen.iter().zip(beta).map(|(a, b)| b * f64::from(row[*a]) / self.scale[*a]).sum()
        };
        out.extend(set.rows.iter().map(|r| value(r)));
        let most = out.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        out.iter_mut().for_each(|x| *x = (*x - most).exp());
        let sum: f64 = out.iter().sum();
        out.iter_mut().for_each(|x| *x /= sum);
    }

    /// The aspect that is not in yet whose likelihood rises most steeply (score test).
    fn steepest(&self, chosen: &[usize], beta: &[f64]) -> Option<usize> {
        let width = self.scale.len();
        let (mut slope, mut bend) = (vec![0.0; width], vec![0.0; width]);
        let mut shares = Vec::new();
        for set in &self.sets {
            self.shares(set, chosen, beta, &mut shares);
            for a in 0..width {
                let mean: f64 = set.rows.iter().zip(&shares).map(|(r, p)| p * f64::from(r[a])).sum();
                let square: f64 =
                    set.rows.iter().zip(&shares).map(|(r, p)| p * f64::from(r[a]).powi(2)).sum();
                slope[a] += f64::from(set.rows[set.chosen][a]) - mean;
                bend[a] += (square - mean * mean).max(0.0);
            }
        }
        let gain = |a: usize| if bend[a] > 1e-9 { slope[a] * slope[a] / bend[a] } else { 0.0 };
        let open = (0..width).filter(|a| !chosen.contains(a) && self.scale[*a] > 0.0);
        let mut best: Option<(f64, usize)> = None;
        for a in open {
            // Earlier aspects win ties, and near ties: copies of a feature should not change the choice.
            if gain(a) > 0.5 && best.is_none_or(|(most, _)| gain(a) > most * 1.000_001) {
                best = Some((gain(a), a));
            }
        }
        best.map(|(_, a)| a)
    }

    /// Climbs to the best weights of the chosen aspects; gives the log likelihood without the pull.
    fn newton(&self, chosen: &[usize], beta: &mut [f64]) -> f64 {
        let d = chosen.len();
        let mut shares = Vec::new();
        for _ in 0..NEWTON_STEPS {
            let mut slope: Vec<f64> = beta.iter().map(|b| -RIDGE * b).collect();
            let mut bend = vec![0.0; d * d];
            (0..d).for_each(|i| bend[i * d + i] = RIDGE);
            for set in &self.sets {
                self.shares(set, chosen, beta, &mut shares);
                let x = |row: usize, i: usize| f64::from(set.rows[row][chosen[i]]) / self.scale[chosen[i]];
                let rows = 0..set.rows.len();
                let mean: Vec<f64> =
                    (0..d).map(|i| rows.clone().map(|r| shares[r] * x(r, i)).sum()).collect();
                for i in 0..d {
                    slope[i] += x(set.chosen, i) - mean[i];
                    for j in 0..d {
                        let cross: f64 = rows.clone().map(|r| shares[r] * x(r, i) * x(r, j)).sum();
                        bend[i * d + j] += cross - mean[i] * mean[j];
                    }
                }
            }
            let step = solve(&mut bend, &mut slope);
            let size = step.iter().map(|s| s.abs()).fold(0.0, f64::max);
            // Never more than two standard units at once: far steps on flat ground overshoot.
            let damp = if size > 2.0 { 2.0 / size } else { 1.0 };
            beta.iter_mut().zip(&step).for_each(|(b, s)| *b += damp * s);
            if size < 1e-6 {
                break;
            }
        }
        let mut fit = 0.0;
        for set in &self.sets {
            self.shares(set, chosen, beta, &mut shares);
            fit += shares[set.chosen].max(1e-300).ln();
        }
        fit
    }
}

/// Solves a small symmetric positive system in place (Gaussian elimination with pivots).
fn solve(a: &mut [f64], b: &mut [f64]) -> Vec<f64> {
    let d = b.len();
    for col in 0..d {
        let pivot =
            (col..d).fold(col, |p, r| if a[r * d + col].abs() > a[p * d + col].abs() { r } else { p });
        if a[pivot * d + col].abs() < 1e-12 {
            return vec![0.0; d];
        }
        (0..d).for_each(|c| a.swap(col * d + c, pivot * d + c));
        b.swap(col, pivot);
        for row in 0..d {
            if row != col {
                let f = a[row * d + col] / a[col * d + col];
                (0..d).for_each(|c| a[row * d + c] -= f * a[col * d + c]);
                b[row] -= f * b[col];
            }
        }
    }
    (0..d).map(|i| b[i] / a[i * d + i]).collect()
}
