//! One row while it is made.

use crate::output::{Output, number};

/// What a row has, by the parts of the file.
#[derive(Default)]
pub struct Row {
    pub sort: u8,
    pub flags: u8,
    pub class: u32,
    pub references: u64,
    pub blocks: Vec<(u64, u64)>,
    pub payload: Vec<u8>,
    pub attributes: Vec<(u32, u32)>,
    /// Rows and one more; 0 for an empty slot. So the entries.
    pub elements: Vec<u32>,
    pub entries: Vec<(u32, u32)>,
    pub others: Vec<u32>,
    /// The number of the stack that asked for its own block; 0 where that is not known.
    pub stack: u32,
}

/// Flags of a row.
pub mod flag {
    pub const TRACKED: u8 = 1;
    pub const SHARED: u8 = 2;
    pub const COUNTS_TYPE: u8 = 4;
    pub const RECORDER: u8 = 8;
    pub const HIDDEN: u8 = 16;
    pub const STACK: u8 = 32;
}

impl Row {
    /// Begins the next one.
    pub fn clear(&mut self) {
        self.sort = 0;
        self.flags = 0;
        self.class = 0;
        self.references = 0;
        self.blocks.clear();
        self.payload.clear();
        self.attributes.clear();
        self.elements.clear();
        self.entries.clear();
        self.others.clear();
        self.stack = 0;
    }

    /// Adds a number to what its sort tells.
    pub fn tell(&mut self, value: u64) {
        number(&mut self.payload, value);
    }

    pub fn tell_byte(&mut self, value: u8) {
        self.payload.push(value);
    }

    pub fn tell_text(&mut self, text: &[u8]) {
        self.tell(text.len() as u64);
        self.payload.extend_from_slice(text);
    }

    pub fn write(&self, output: &mut Output) {
        output.byte(self.sort);
        let of_stack = if self.stack == 0 { 0 } else { flag::STACK };
        output.byte(self.flags | of_stack);
        output.number(u64::from(self.class));
        output.number(self.references);
        output.number(self.blocks.len() as u64);
        for (asked, charged) in &self.blocks {
            output.number(*asked);
            output.number(*charged);
        }
        output.bytes(&self.payload);
        output.number(self.attributes.len() as u64);
        for (name, row) in &self.attributes {
            output.number(u64::from(*name));
            output.number(u64::from(*row));
        }
        output.number(self.elements.len() as u64);
        self.elements
            .iter()
            .for_each(|row| output.number(u64::from(*row)));
        output.number(self.entries.len() as u64);
        for (key, value) in &self.entries {
            output.number(u64::from(*key));
            output.number(u64::from(*value));
        }
        output.number(self.others.len() as u64);
        self.others.iter().for_each(|row| output.number(u64::from(*row)));
        if self.stack != 0 {
            output.number(u64::from(self.stack));
        }
    }
}
