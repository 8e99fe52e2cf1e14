//! What strings say as names of edges, decoded once for each string: edges are many, and few names are all theirs.

use deadweight_heap::Spans;
use rayon::prelude::*;

/// One word a string: the number it spells, or one of the values below.
#[derive(Debug)]
pub(super) struct EdgeNames(Vec<u32>);

/// Neither a number nor the name of an accessor's function.
const OTHER: u32 = u32::MAX;
/// `get name` or `set name`.
const ACCESSOR: u32 = u32::MAX - 1;

impl EdgeNames {
    pub(super) fn of(bytes: &[u8], strings: &Spans) -> Self {
        let names = (0..strings.len() as u32).into_par_iter().with_min_len(16_384);
        let names = names.map(|id| {
            let (start, len) = strings.get(id).unwrap_or_default();
            let text = bytes.get(start as usize..start as usize + len as usize);
            text.map_or(OTHER, name)
        });
        Self(names.collect())
    }

    pub(super) fn index(&self, name: u32) -> Option<u32> {
        let index = *self.0.get(name as usize)?;
        (index < ACCESSOR).then_some(index)
    }

    pub(super) fn is_accessor_alias(&self, name: u32) -> bool {
        self.0.get(name as usize) == Some(&ACCESSOR)
    }
}

fn name(text: &[u8]) -> u32 {
    match text {
        [b'g' | b's', b'e', b't', b' ', ..] => ACCESSOR,
        // The largest numbers are no index of anything.
        [b'0'..=b'9' | b'+', ..] if text.len() <= 11 => {
            let number = std::str::from_utf8(text).ok().and_then(|text| text.parse().ok());
            number.filter(|&number| number < ACCESSOR).unwrap_or(OTHER)
        }
        _ => OTHER,
    }
}
