//! Numbers of what was met last.

/// Numbers of keys, those met last: rows of a few places stand side by side, and a look here is cheaper than one into a map.
#[derive(Debug)]
pub struct Recent<K>(Box<[Option<(K, u32)>; PLACES]>);

/// How many keys are at hand.
const PLACES: usize = 64;

impl<K: Copy + PartialEq> Recent<K> {
    /// Nothing was met yet.
    #[must_use]
    pub fn none() -> Self {
        Self(Box::new([None; PLACES]))
    }

    /// The number of a key, which `find` says where it is not at hand. Keys mostly differ in their `word`.
    #[inline]
    pub fn get(&mut self, key: K, word: u32, find: impl FnOnce() -> u32) -> u32 {
        let place = &mut self.0[(word.wrapping_mul(0x9E37_79B9) >> 16) as usize % PLACES];
        match place {
            Some((known, number)) if *known == key => *number,
            _ => place.insert((key, find())).1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_has_its_number_whatever_was_met_at_its_place() {
        let mut recent = Recent::none();
        let mut found = 0;
        for key in [7_u32, 7, 8, 7, 1 << 20, 7] {
            // All keys at one place.
            let number = recent.get(key, 0, || {
                found += 1;
                key + 1
            });
            assert_eq!(number, key + 1);
        }
        assert_eq!(found, 5);
    }
}
