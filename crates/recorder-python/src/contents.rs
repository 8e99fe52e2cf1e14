//! Objects that hold bytes.

use crate::buffers::Buffer;
use crate::classes::Class;
use crate::layout::library;
use crate::raw::{Address, half, word};
use crate::row::flag;
use crate::sort::{Sort, Variant};
use crate::walk::Walk;

impl Walk {
    pub fn tell_buffer(&mut self, at: Address, class: &Class) {
        let buffer = match (class.sort, class.variant) {
            (Sort::Array, _) => Buffer::of_array(at),
            (Sort::Numpy, _) => Buffer::of_numpy(at),
            (_, Variant::Mutable) => Buffer::of_bytearray(at),
            _ => Buffer::of_bytes(at),
        };
        if class.sort == Sort::Numpy {
            self.tell_numpy(at, &buffer);
            return;
        }
        self.block(buffer.block.0, buffer.block.1);
        buffer.tell(self.blocks.maps(), &mut self.row);
        if class.sort == Sort::Array {
            self.row.tell_byte(buffer.kind);
            self.row.tell(buffer.item as u64);
        } else {
            self.row.tell_byte(u8::from(class.variant == Variant::Mutable));
            if class.variant == Variant::None && buffer.bytes <= 1 {
                self.row.flags |= flag::SHARED;
            }
        }
        self.row.tell(buffer.room as u64);
    }

    pub fn tell_numpy(&mut self, at: Address, buffer: &Buffer) {
        // SAFETY: the object is an array; its shape and strides are in one block.
        let (shape, rank) = unsafe {
            (
                word(at + library::NUMPY_SHAPE),
                half(at + library::NUMPY_RANK) as usize,
            )
        };
        for (block, asked) in [(buffer.block.0, buffer.block.1), (shape, rank.max(1) * 16)] {
            if block != 0
                && asked != 0
                && let Some(charged) = self.blocks.charge_raw(block, asked)
            {
                self.row.blocks.push((asked as u64, charged));
            }
        }
        buffer.tell(self.blocks.maps(), &mut self.row);
        self.row.tell_byte(buffer.kind);
        self.row.tell(buffer.item as u64);
        self.row.tell_byte(u8::from(buffer.block.0 != 0));
        self.tell_extent(at);
        if buffer.kind == b'O' && buffer.block.0 != 0 && self.blocks.maps().holds(buffer.data, buffer.bytes) {
            self.elements(buffer.data, buffer.bytes / 8);
        }
        self.attribute(b"base", at + library::NUMPY_BASE);
        self.attribute(b"dtype", at + library::NUMPY_SORT);
    }
}
