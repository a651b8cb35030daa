//! Spaces as plain data: what a row of observations or actions may hold.

use crate::{bits::Bits, rng::Pcg64};
use serde::{Deserialize, Serialize};

/// Element type of a row.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Dtype {
    /// Unsigned byte.
    U8,
    /// Signed 32-bit integer.
    I32,
    /// Unsigned 32-bit integer (discrete actions).
    U32,
    /// 32-bit float.
    F32,
    /// 64-bit float.
    F64,
}

impl Dtype {
    /// Bytes of one element.
    pub const fn size(self) -> usize {
        match self {
            Self::U8 => 1,
            Self::I32 | Self::U32 | Self::F32 => 4,
            Self::F64 => 8,
        }
    }

    fn read(self, bytes: &[u8]) -> f64 {
        match self {
            Self::U8 => f64::from(bytes[0]),
            Self::I32 => f64::from(bytemuck::pod_read_unaligned::<i32>(bytes)),
            Self::U32 => f64::from(bytemuck::pod_read_unaligned::<u32>(bytes)),
            Self::F32 => f64::from(bytemuck::pod_read_unaligned::<f32>(bytes)),
            Self::F64 => bytemuck::pod_read_unaligned::<f64>(bytes),
        }
    }

    fn write(self, value: f64, bytes: &mut [u8]) {
        match self {
            Self::U8 => bytes[0] = value as u8,
            Self::I32 => bytes.copy_from_slice(&(value as i32).to_ne_bytes()),
            Self::U32 => bytes.copy_from_slice(&(value as u32).to_ne_bytes()),
            Self::F32 => bytes.copy_from_slice(&(value as f32).to_ne_bytes()),
            Self::F64 => bytes.copy_from_slice(&value.to_ne_bytes()),
        }
    }
}

/// One named part of a flat row: shape, bounds and meaning. The fact sheets are made from these.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Field {
    /// Name, unique in its row.
    pub name: String,
    /// Shape, row-major; `[]` is one number.
    pub shape: Vec<usize>,
    /// Least value of every element.
    pub low: f64,
    /// Greatest value of every element.
    pub high: f64,
    /// What it means, with its unit.
    pub meaning: String,
}

impl Field {
    /// A field of `shape` with every element in `low..=high`.
    pub fn new(name: &str, shape: &[usize], low: f64, high: f64, meaning: &str) -> Self {
        Self { name: name.into(), shape: shape.to_vec(), low, high, meaning: meaning.into() }
    }

    /// Number of elements.
    pub fn size(&self) -> usize {
        self.shape.iter().product()
    }
}

/// The set of values of a row. Plain data; sampling takes a generator, so that a space owns none.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Space {
    /// One of `0..n`, a `u32`.
    Discrete {
        /// Number of values.
        n: u32,
    },
    /// Several discrete choices at once, a `u32` each. A mask concatenates the bits of all parts.
    MultiDiscrete {
        /// Number of values of each part.
        n: Vec<u32>,
    },
    /// Named fields of one element type behind each other: Gymnasium's `Box` (one field) and flat `Dict`.
    Fields {
        /// Element type of the whole row.
        dtype: Dtype,
        /// The parts, in row order.
        fields: Vec<Field>,
    },
}

/// Why a row is not in its space.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{part}[{index}] = {value} is outside {low}..={high}")]
pub struct OutOfSpace {
    /// The field, or `value` for a discrete space.
    pub part: String,
    /// Element of the field, flat.
    pub index: usize,
    /// The value seen.
    pub value: f64,
    /// Least allowed value.
    pub low: f64,
    /// Greatest allowed value.
    pub high: f64,
}

impl Space {
    /// A single unnamed field: Gymnasium's `Box`.
    pub fn boxed(dtype: Dtype, shape: &[usize], low: f64, high: f64) -> Self {
        Self::Fields { dtype, fields: vec![Field::new("value", shape, low, high, "")] }
    }

    /// Element type of a row.
    pub fn dtype(&self) -> Dtype {
        match self {
            Self::Discrete { .. } | Self::MultiDiscrete { .. } => Dtype::U32,
            Self::Fields { dtype, .. } => *dtype,
        }
    }

    /// Elements of a row.
    pub fn len(&self) -> usize {
        match self {
            Self::Discrete { .. } => 1,
            Self::MultiDiscrete { n } => n.len(),
            Self::Fields { fields, .. } => fields.iter().map(Field::size).sum(),
        }
    }

    /// Whether a row has no elements.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Bytes of a row.
    pub fn row_bytes(&self) -> usize {
        self.len() * self.dtype().size()
    }

    /// Bits of a mask over this space; 0 where masks make no sense.
    pub fn mask_bits(&self) -> usize {
        match self {
            Self::Discrete { n } => *n as usize,
            Self::MultiDiscrete { n } => n.iter().map(|n| *n as usize).sum(),
            Self::Fields { .. } => 0,
        }
    }

    /// The named parts with the element at which each begins; empty for discrete spaces.
    pub fn offsets(&self) -> Vec<(usize, &Field)> {
        let Self::Fields { fields, .. } = self else { return Vec::new() };
        fields
            .iter()
            .scan(0, |at, field| {
                let start = *at;
                *at += field.size();
                Some((start, field))
            })
            .collect()
    }

    /// Checks that a row of bytes is a member.
    ///
    /// # Errors
    /// The first element outside its bounds (NaN is outside).
    pub fn contains(&self, row: &[u8]) -> Result<(), OutOfSpace> {
        let size = self.dtype().size();
        let at = |i: usize| self.dtype().read(&row[i * size..(i + 1) * size]);
        let test = |part: &str, index: usize, value: f64, low: f64, high: f64| {
            if value >= low && value <= high {
                return Ok(());
            }
            Err(OutOfSpace { part: part.into(), index, value, low, high })
        };
        match self {
            Self::Discrete { n } => test("value", 0, at(0), 0.0, f64::from(*n) - 1.0),
            Self::MultiDiscrete { n } => {
                n.iter().enumerate().try_for_each(|(i, n)| test("value", i, at(i), 0.0, f64::from(*n) - 1.0))
            }
            Self::Fields { .. } => self.offsets().into_iter().try_for_each(|(start, f)| {
                (0..f.size()).try_for_each(|i| test(&f.name, i, at(start + i), f.low, f.high))
            }),
        }
    }

    /// Draws a member uniformly into `row`. With a mask (discrete spaces) only set bits are drawn; an
    /// empty `mask` allows everything. Unbounded sides draw a normal (both) or exponential (one) offset.
    pub fn sample(&self, mask: Bits<'_>, rng: &mut Pcg64, row: &mut [u8]) {
        let pick = |first: usize, n: u32, rng: &mut Pcg64| {
            let allowed = || (first..first + n as usize).filter(|i| mask.get(*i));
            let count = allowed().count() as u32;
            if count == 0 {
                return rng.below(n);
            }
            let k = rng.below(count) as usize;
            (allowed().nth(k).unwrap_or(first) - first) as u32
        };
        match self {
            Self::Discrete { n } => {
                let count = mask.count();
                let draw = if count == 0 {
                    rng.below(*n)
                } else {
                    let k = rng.below(count as u32) as usize;
                    mask.nth(k).unwrap_or(0) as u32
                };
                row.copy_from_slice(&draw.to_ne_bytes());
            }
            Self::MultiDiscrete { n } => {
                let mut first = 0;
                for (part, n) in row.chunks_exact_mut(4).zip(n) {
                    part.copy_from_slice(&pick(first, *n, rng).to_ne_bytes());
                    first += *n as usize;
                }
            }
            Self::Fields { dtype, fields } => {
                let bounds = fields.iter().flat_map(|f| std::iter::repeat_n((f.low, f.high), f.size()));
                for (cell, (low, high)) in row.chunks_exact_mut(dtype.size()).zip(bounds) {
                    dtype.write(draw(*dtype, low, high, rng), cell);
                }
            }
        }
    }
}

fn draw(dtype: Dtype, low: f64, high: f64, rng: &mut Pcg64) -> f64 {
    let real = matches!(dtype, Dtype::F32 | Dtype::F64);
    match (low.is_finite(), high.is_finite()) {
        (true, true) if real => rng.uniform(low, high),
        (true, true) => low + rng.below_u64((high - low) as u64 + 1) as f64,
        (true, false) => low - (1.0 - rng.unit()).ln(),
        (false, true) => high + (1.0 - rng.unit()).ln(),
        (false, false) => rng.normal(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dict() -> Space {
        let fields = vec![
            Field::new("position", &[2], -1.0, 1.0, "m"),
            Field::new("speed", &[], f64::NEG_INFINITY, f64::INFINITY, "m/s"),
        ];
        Space::Fields { dtype: Dtype::F32, fields }
    }

    #[test]
    fn samples_are_members_and_outsiders_are_named() {
        let mut rng = Pcg64::seed(1);
        let spaces = [
            dict(),
            Space::Discrete { n: 5 },
            Space::MultiDiscrete { n: vec![3, 1, 7] },
            Space::boxed(Dtype::U8, &[3, 2], 0.0, 255.0),
        ];
        for space in spaces {
            let mut row = vec![0; space.row_bytes()];
            for _ in 0..200 {
                space.sample(Bits::new(&[], 0), &mut rng, &mut row);
                assert_eq!(space.contains(&row), Ok(()), "{space:?}");
            }
        }
        let row: Vec<u8> = [0.5f32, 1.5, 9.0].iter().flat_map(|x| x.to_ne_bytes()).collect();
        let error = dict().contains(&row).expect_err("1.5 is outside");
        assert_eq!(error.to_string(), "position[1] = 1.5 is outside -1..=1");
        let nan: Vec<u8> = [0.5f32, 0.5, f32::NAN].iter().flat_map(|x| x.to_ne_bytes()).collect();
        assert!(dict().contains(&nan).is_err());
    }

    #[test]
    fn masked_draws_stay_inside_the_mask() {
        let mut rng = Pcg64::seed(2);
        let mask = [0b1_0010_u64];
        let mut seen = [0; 5];
        for _ in 0..300 {
            let mut row = [0; 4];
            Space::Discrete { n: 5 }.sample(Bits::new(&mask, 5), &mut rng, &mut row);
            seen[u32::from_ne_bytes(row) as usize] += 1;
        }
        assert!(seen[1] > 100 && seen[4] > 100 && seen[0] + seen[2] + seen[3] == 0, "{seen:?}");
    }
}
