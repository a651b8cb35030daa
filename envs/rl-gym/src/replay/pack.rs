//! Small numbers in few bytes: seven bits a byte, the lowest first, the top bit set when more follow.

use crate::space::Space;

pub(super) fn push_varint(stream: &mut Vec<u8>, value: impl Into<u64>) {
    let mut value = value.into();
    while value >= 0x80 {
        stream.push(value as u8 | 0x80);
        value >>= 7;
    }
    stream.push(value as u8);
}

pub(super) fn push_list(stream: &mut Vec<u8>, values: &[u32]) {
    push_varint(stream, values.len() as u32);
    values.iter().for_each(|value| push_varint(stream, *value));
}

/// Appends one action row: discrete parts as numbers, others as they are.
pub(super) fn push_action(stream: &mut Vec<u8>, space: &Space, row: &[u8]) {
    match space {
        Space::Discrete { .. } | Space::MultiDiscrete { .. } => {
            for part in row.chunks_exact(4) {
                push_varint(stream, bytemuck::pod_read_unaligned::<u32>(part));
            }
        }
        Space::Fields { .. } => stream.extend_from_slice(row),
    }
}

/// Reads a stream from its front; `None` at its end or where it is no stream of ours.
#[derive(Clone, Copy)]
pub(super) struct Unpack<'a>(pub(super) &'a [u8]);

impl Unpack<'_> {
    pub(super) fn varint(&mut self) -> Option<u32> {
        u32::try_from(self.varint64()?).ok()
    }

    /// A number of at most 35 bits.
    pub(super) fn varint64(&mut self) -> Option<u64> {
        let mut value = 0u64;
        for shift in (0..35).step_by(7) {
            let (&byte, rest) = self.0.split_first()?;
            self.0 = rest;
            value |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(value);
            }
        }
        None
    }

    /// Replaces `values` by the next list.
    pub(super) fn list(&mut self, values: &mut Vec<u32>) -> Option<()> {
        values.clear();
        let count = self.varint()?;
        for _ in 0..count {
            values.push(self.varint()?);
        }
        Some(())
    }

    pub(super) fn action(&mut self, space: &Space, row: &mut [u8]) -> Option<()> {
        match space {
            Space::Discrete { .. } | Space::MultiDiscrete { .. } => {
                for part in row.chunks_exact_mut(4) {
                    part.copy_from_slice(&self.varint()?.to_ne_bytes());
                }
            }
            Space::Fields { .. } => {
                let (mine, rest) = self.0.split_at_checked(row.len())?;
                row.copy_from_slice(mine);
                self.0 = rest;
            }
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back_and_a_cut_stream_ends() {
        let values = [0, 1, 127, 128, 300, 16_383, 16_384, u32::MAX];
        let mut stream = Vec::new();
        push_list(&mut stream, &values);
        assert_eq!(stream.len(), 1 + 1 + 1 + 1 + 2 + 2 + 2 + 3 + 5);
        let mut back = Vec::new();
        assert!(Unpack(&stream).list(&mut back).is_some() && back == values);
        for cut in 0..stream.len() {
            assert!(Unpack(&stream[..cut]).list(&mut back).is_none(), "cut at {cut}");
        }
        assert_eq!(Unpack(&[0xff; 9]).varint(), None);
    }
}
