//! Five counts below 128 in one word, as [`Counts`] packs them, where sums may wrap.

use super::Each;
use crate::counts::Counts;
use crate::topology::Seat;

/// Counts of five kinds, a byte each from the lowest.
pub(super) type Packed = u64;

const HIGH: Packed = 0x80_80_80_80_80;
/// The greatest count of every kind.
pub(super) const MOST: Packed = 0x7f_7f_7f_7f_7f;

/// Whether each count of `a` is at least that of `b`.
#[inline]
pub(super) const fn covers(a: Packed, b: Packed) -> bool {
    ((a | HIGH) - b) & HIGH == HIGH
}

/// The lesser count of each kind.
#[inline]
pub(super) const fn least(a: Packed, b: Packed) -> Packed {
    let b_fits = ((a | HIGH) - b) & HIGH;
    let mask = (b_fits - (b_fits >> 7)) | b_fits;
    b & mask | a & !mask
}

/// Moves one card of kind `r` between hands.
#[inline]
pub(super) const fn give(hands: &mut Each<Packed>, from: Seat, to: Seat, r: usize) {
    hands[from as usize] -= 1 << (8 * r);
    hands[to as usize] += 1 << (8 * r);
}

/// What has to be added to `from`, modulo 2^40, to make `to`.
#[inline]
pub(super) const fn change(from: Packed, to: Packed) -> Packed {
    to.wrapping_sub(from) & (HIGH | MOST)
}

/// `hand` after a [`change`] that leaves no count below zero.
#[inline]
pub(super) const fn changed(hand: Packed, change: Packed) -> Packed {
    (hand + change) & (HIGH | MOST)
}

/// The five bytes.
#[inline]
pub(super) const fn bytes(packed: Packed) -> [u8; 5] {
    let b = packed.to_le_bytes();
    [b[0], b[1], b[2], b[3], b[4]]
}

/// As counts.
#[inline]
pub(super) const fn counts(packed: Packed) -> Counts {
    Counts::new(bytes(packed))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packed_comparisons_equal_plain_ones() {
        let mut rng = rl_gym::Pcg64::seed(1);
        for _ in 0..20_000 {
            let mut any = || -> [u8; 5] { std::array::from_fn(|_| rng.below(128) as u8) };
            let (a, b) = (any(), any());
            let (x, y) = (Counts::new(a).bits(), Counts::new(b).bits());
            assert_eq!(counts(least(x, y)).array(), std::array::from_fn(|i| a[i].min(b[i])));
            assert_eq!(changed(x, change(x, y)), y);
            assert_eq!(covers(x, y), (0..5).all(|i| a[i] >= b[i]));
        }
        assert_eq!(counts(MOST).array(), [127; 5]);
    }
}
