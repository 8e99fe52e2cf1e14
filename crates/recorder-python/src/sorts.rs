//! What the file tells of an object by its sort, and the bytes of its own block.

use crate::classes::Class;
use crate::dates;
use crate::layout::{class, library, object};
use crate::raw::{Address, byte, bytes, count, half, word};
use crate::row::flag;
use crate::sort::{Sort, Variant};
use crate::tables::VALUES_HEADER;
use crate::texts;
use crate::walk::Walk;

impl Walk {
    /// The bytes asked for an object, without what stands before it.
    pub fn size(&self, at: Address, class: &Class) -> usize {
        let of = |items: usize| {
            let all = items
                .saturating_mul(class.item_size)
                .saturating_add(class.basic_size);
            all.checked_next_multiple_of(8).unwrap_or(usize::MAX)
        };
        // SAFETY: objects whose length varies have their count there.
        let items = || unsafe { count(at) }.unsigned_abs();
        let own = match class.sort {
            Sort::Str if !class.is_statement => {
                return self.texts.read(at).map_or(class.basic_size, |text| text.size);
            }
            Sort::Int => {
                return class.basic_size.max(object::DIGITS)
                    + self.digits(at).max(usize::from(self.layout().minor > 10)) * 4;
            }
            Sort::Bytes if class.variant == Variant::None => return class.basic_size.max(33) + items(),
            Sort::Date
                if !class.is_statement && matches!(class.variant, Variant::DateTime | Variant::Time) =>
            {
                // SAFETY: a moment says whether it has a time zone, which has a place then.
                let has_zone = unsafe { byte(at + library::DATE_HAS_ZONE) } != 0;
                return class.basic_size - if has_zone { 0 } else { 8 };
            }
            Sort::Tuple | Sort::Code if !class.is_statement => of(items()),
            // A generator's variables are of as many words as its function says, and so are a frame's since 3.11; neither
            // has a count of its own.
            Sort::Other if class.variant == Variant::Generator => of(0),
            Sort::Frame if self.layout().minor > 10 => of(0),
            _ if class.item_size > 0 => {
                // Made by the allocator of all types, which adds an item.
                let one_more = class.flags & class::HEAP_TYPE != 0 || class.sort == Sort::Type;
                let counted = of(items().saturating_add(usize::from(one_more)));
                // A type whose length varies need not keep a count: what stands in its place may be anything.
                let before = self.before(at, class);
                let has_count = self.blocks.can_have(at - before, counted.saturating_add(before));
                if has_count { counted } else { of(0) }
            }
            _ => of(0),
        };
        own + self.inline_values(at, class).map_or(0, |(_, capacity)| {
            VALUES_HEADER + capacity * 8 + capacity.next_multiple_of(8)
        })
    }

    pub fn digits(&self, at: Address) -> usize {
        // SAFETY: the object is an `int`.
        unsafe {
            if self.layout().minor < 12 {
                count(at).unsigned_abs()
            } else {
                word(at + object::HEADER) >> 3
            }
        }
    }

    /// What the file tells of a sort, and its elements, entries and further blocks.
    pub fn tell(&mut self, at: Address, class: &Class) {
        match class.sort {
            Sort::Str => self.tell_str(at),
            Sort::Int => self.tell_int(at),
            // SAFETY: the object is a `float`.
            Sort::Float => self.row.payload.extend(unsafe { bytes(at + object::HEADER, 8) }),
            Sort::List => self.tell_list(at),
            Sort::Tuple => self.tell_tuple(at),
            Sort::Dict | Sort::OrderedDict => self.tell_dict(at, class),
            Sort::Set => self.tell_set(at, class),
            Sort::Deque => self.tell_deque(at),
            Sort::Instance => self.tell_instance(at, class),
            Sort::Type => self.tell_type(at),
            Sort::Module => self.tell_module(at),
            Sort::Code => self.tell_code(at),
            Sort::Frame => self.tell_frame(at),
            Sort::Bytes | Sort::Array | Sort::Numpy => self.tell_buffer(at, class),
            // SAFETY: the object is a `memoryview`.
            Sort::View => self.row.tell(unsafe { word(at + library::VIEW_BYTES) } as u64),
            Sort::Date => self.tell_date(at, class),
            Sort::Other if class.variant == Variant::ManagedBuffer => {
                self.attribute(b"obj", at + library::BUFFER_OBJECT);
            }
            Sort::Other | Sort::Places | Sort::Function | Sort::SharedKeys | Sort::Unowned => {}
        }
    }

    pub fn tell_str(&mut self, at: Address) {
        let Some(text) = self.texts.read(at) else {
            self.row.sort = Sort::Other as u8;
            return;
        };
        self.row.tell(text.count as u64);
        self.row
            .tell_byte(if text.is_ascii { 0 } else { text.width as u8 });
        self.row.tell_byte(u8::from(text.is_interned));
        let mut all = Vec::with_capacity(text.count);
        texts::encode(&text, &mut all);
        self.row.tell_text(&all);
        for (block, asked) in text.apart {
            self.block(block, asked);
        }
    }

    pub fn tell_int(&mut self, at: Address) {
        const BITS: u32 = 30;
        /// The interpreter has these once.
        const SMALL: std::ops::RangeInclusive<i64> = -5..=256;
        // SAFETY: the object is an `int` of so many digits.
        let (is_negative, first) = unsafe {
            let is_negative = if self.layout().minor < 12 {
                count(at) < 0
            } else {
                word(at + object::HEADER) & 3 == 2
            };
            (is_negative, half(at + object::DIGITS))
        };
        let digits = self.digits(at);
        let mut magnitude = Vec::with_capacity(digits * 4);
        let (mut bits, mut pending) = (0_u32, 0_u64);
        for digit in 0..digits {
            // SAFETY: as above.
            pending |= u64::from(unsafe { half(at + object::DIGITS + digit * 4) }) << bits;
            bits += BITS;
            while bits >= 8 {
                magnitude.push(pending as u8);
                pending >>= 8;
                bits -= 8;
            }
        }
        magnitude.push(pending as u8);
        while magnitude.last() == Some(&0) {
            magnitude.pop();
        }
        self.row.tell_byte(u8::from(is_negative));
        self.row.tell_text(&magnitude);
        let value = i64::from(first) * if is_negative { -1 } else { 1 };
        if digits == 0 || digits == 1 && SMALL.contains(&value) {
            self.row.flags |= flag::SHARED;
        }
    }

    pub fn tell_date(&mut self, at: Address, class: &Class) {
        let moment = dates::milliseconds(at, class.variant);
        self.row.payload.extend(moment.to_le_bytes());
        let zone = match class.variant {
            Variant::DateTime => 40,
            Variant::Time => 32,
            _ => return,
        };
        // SAFETY: a moment says whether it has a time zone.
        if unsafe { byte(at + library::DATE_HAS_ZONE) } != 0 {
            self.attribute(b"tzinfo", at + zone);
        }
    }
}
