//! Places in the file, two bytes each where those of rows that follow one another are near one another.

use rayon::prelude::*;

/// Rows that have a place in common from which theirs are counted.
const STRETCH: usize = 64;

/// Marks a stretch whose places are too far from one another: the rest is where they stand among the far ones.
const FAR: u64 = 1 << 63;

#[derive(Debug, Default)]
pub(super) struct Places {
    /// By stretch the least place.
    least: Vec<u64>,
    /// By row how far behind that its place is.
    behind: Vec<u16>,
    far: Vec<u64>,
}

impl Places {
    pub(super) fn of(all: &[u64]) -> Self {
        let mut behind = vec![0_u16; all.len()];
        let stretches = all.par_chunks(STRETCH).zip(behind.par_chunks_mut(STRETCH));
        let mut least: Vec<u64> = stretches
            .map(|(places, behind)| {
                let least = places.iter().copied().min().unwrap_or_default();
                for (&place, behind) in places.iter().zip(behind) {
                    let Ok(near) = u16::try_from(place - least) else {
                        return FAR;
                    };
                    *behind = near;
                }
                least
            })
            .collect();
        let mut far = Vec::new();
        for (least, places) in least.iter_mut().zip(all.chunks(STRETCH)) {
            if *least == FAR {
                *least = FAR | far.len() as u64;
                far.extend(places);
            }
        }
        Self { least, behind, far }
    }

    #[inline]
    pub(super) fn get(&self, row: usize) -> u64 {
        let least = self.least[row / STRETCH];
        if least & FAR == 0 {
            least + u64::from(self.behind[row])
        } else {
            self.far[(least ^ FAR) as usize + row % STRETCH]
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_near_and_far_come_back() {
        let mut all: Vec<u64> = (0..1000).map(|row| 5_000_000_000 + row * 31).collect();
        all[200] = 7;
        all[201] = 9_000_000_000;
        all.swap(500, 510);
        let places = Places::of(&all);
        assert!((0..all.len()).all(|row| places.get(row) == all[row]));
        assert_eq!(places.far.len(), STRETCH);
    }
}
