//! Which row each living object belongs to, by its address.

use rustc_hash::FxHashMap;

use crate::interpreter::Value;

const PAGE: usize = 1 << 16;
const WORDS: usize = PAGE / 8;

type Page = Box<[u32; WORDS]>;

/// One number for each word of the pages in which objects lie; 0 where none is known.
#[derive(Default)]
pub struct Slots {
    pages: Vec<Page>,
    by_number: FxHashMap<usize, usize>,
    /// The page that was asked for last: objects are made and swept one behind the other.
    last: Option<(usize, usize)>,
}

impl Slots {
    /// The number of an object.
    pub fn of(&mut self, object: Value) -> &mut u32 {
        let number = object / PAGE;
        let index = match self.last {
            Some((last, index)) if last == number => index,
            _ => self.find(number),
        };
        &mut self.pages[index][object % PAGE / 8]
    }

    fn find(&mut self, number: usize) -> usize {
        let index = *self.by_number.entry(number).or_insert_with(|| {
            let page = vec![0; WORDS].into_boxed_slice();
            self.pages.push(page.try_into().expect("one page"));
            self.pages.len() - 1
        });
        self.last = Some((number, index));
        index
    }

    /// All objects with a number.
    pub fn iter(&self) -> impl Iterator<Item = (Value, u32)> {
        self.by_number.iter().flat_map(|(&number, &index)| {
            let words = self.pages[index].iter().enumerate();
            words
                .filter(|&(_, &row)| row != 0)
                .map(move |(at, &row)| (number * PAGE + at * 8, row))
        })
    }

    pub fn clear(&mut self) {
        *self = Self::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_keep_their_numbers_apart() {
        let mut slots = Slots::default();
        let objects = [PAGE, PAGE + 40, 9 * PAGE - 8, 9 * PAGE, PAGE + 80];
        for (number, &object) in objects.iter().enumerate() {
            *slots.of(object) = number as u32 + 1;
        }
        *slots.of(objects[1]) = 0;
        let mut all: Vec<_> = slots.iter().collect();
        all.sort_unstable();
        assert_eq!(all, [(PAGE, 1), (PAGE + 80, 5), (9 * PAGE - 8, 3), (9 * PAGE, 4)]);
    }
}
