//! Names, each once.

use std::collections::HashMap;

use crate::output::Output;
use crate::raw::Address;
use crate::texts::Texts;

const CACHED: usize = 1 << 12;

/// The table of names.
pub struct Names {
    numbers: HashMap<Vec<u8>, u32>,
    order: Vec<Vec<u8>>,
    /// The last name asked for by an object with one of these addresses.
    recent: Vec<(Address, u32)>,
}

impl Names {
    pub fn new() -> Self {
        Self {
            numbers: HashMap::new(),
            order: Vec::new(),
            recent: vec![(0, 0); CACHED],
        }
    }

    pub fn of(&mut self, name: &[u8]) -> u32 {
        if let Some(number) = self.numbers.get(name) {
            return *number;
        }
        let number = self.order.len() as u32;
        self.numbers.insert(name.to_vec(), number);
        self.order.push(name.to_vec());
        number
    }

    /// The name that a `str` is; `None` for any other object.
    pub fn of_object(&mut self, texts: &Texts, object: Address) -> Option<u32> {
        let place = (object >> 4) % CACHED;
        let (address, number) = self.recent[place];
        if address == object && object != 0 {
            return Some(number);
        }
        let text = texts.utf8(object)?;
        let number = self.of(&text);
        self.recent[place] = (object, number);
        Some(number)
    }

    pub fn write(&self, output: &mut Output) {
        output.number(self.order.len() as u64);
        for name in &self.order {
            output.text(name);
        }
    }
}
