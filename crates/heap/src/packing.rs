//! Where the fields of a record go, and what holes they leave.

use crate::{Fields, RecordShape};

/// In which order a runtime places the fields that a type declares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// As declared, each at the next multiple of its own size. What a type adds stands behind all that it inherits.
    Declared,
    /// Values by size, the largest first, then references. Each takes the hole that fits it best, those that inherited
    /// fields left included, and only where none fits the end.
    LargestFirst,
}

/// How a runtime lays out records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Packing {
    /// Bytes before the first field.
    pub header: u64,
    /// Bytes of a reference.
    pub reference: u64,
    /// The order of the fields.
    pub order: Order,
}

impl Packing {
    /// Bytes up to the end of the last field; how a whole record is rounded is its allocator's.
    #[must_use]
    pub fn bytes(&self, shape: &RecordShape<'_>) -> u64 {
        let mut room = Room {
            end: self.header,
            holes: Vec::new(),
        };
        self.place(shape, &mut room);
        room.end
    }

    fn place(&self, shape: &RecordShape<'_>, room: &mut Room) {
        if let Some(inherited) = shape.inherited {
            self.place(inherited, room);
        }
        match self.order {
            Order::Declared => {
                for run in shape.fields {
                    room.append(self.size(run), run.count);
                }
            }
            Order::LargestFirst => {
                let mut runs = shape.fields.to_vec();
                runs.sort_by_key(|run| (run.representation.refers(), u64::MAX - self.size(run)));
                for run in runs {
                    let filled = room.fill(self.size(&run), run.count);
                    room.append(self.size(&run), run.count - filled);
                }
            }
        }
    }

    fn size(&self, run: &Fields) -> u64 {
        run.representation.bytes(self.reference)
    }
}

/// A record under construction.
struct Room {
    end: u64,
    /// Start and end of what no field uses, in no order.
    holes: Vec<(u64, u64)>,
}

impl Room {
    fn append(&mut self, size: u64, count: u64) {
        if count == 0 || size == 0 {
            return;
        }
        let start = up(self.end, size);
        if start > self.end {
            self.holes.push((self.end, start));
        }
        self.end = start.saturating_add(size.saturating_mul(count));
    }

    /// Places fields in holes. Gives for how many there was one.
    fn fill(&mut self, size: u64, count: u64) -> u64 {
        let mut filled = 0;
        while size > 0 && filled < count {
            let fits = |&&(start, end): &&(u64, u64)| up(start, size).saturating_add(size) <= end;
            let best = self
                .holes
                .iter()
                .filter(fits)
                .min_by_key(|&&(start, end)| (end - start, start));
            let Some(&hole) = best else {
                break;
            };
            let start = up(hole.0, size);
            self.holes.retain(|&other| other != hole);
            let rest = [(hole.0, start), (start + size, hole.1)];
            self.holes
                .extend(rest.into_iter().filter(|(start, end)| start < end));
            filled += 1;
        }
        filled
    }
}

fn up(bytes: u64, to: u64) -> u64 {
    bytes.checked_next_multiple_of(to).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Representation::{self, Any, Boolean, Float, Integer, Reference};

    /// The layouts of a runtime with packed classes: header and reference of the usual form, of one with full-width
    /// references, and of one with short headers.
    const FORMS: [Packing; 3] = [form(12, 4), form(12, 8), form(8, 4)];

    const fn form(header: u64, reference: u64) -> Packing {
        Packing {
            header,
            reference,
            order: Order::LargestFirst,
        }
    }

    /// Rounded bytes of a chain of types, the root first.
    fn sizes(types: &[&[Representation]]) -> [u64; 3] {
        fn chain(packing: &Packing, types: &[&[Representation]], inherited: Option<&RecordShape<'_>>) -> u64 {
            let (first, rest) = types.split_first().expect("a type");
            let fields: Vec<Fields> = first.iter().map(|field| field.times(1)).collect();
            let shape = RecordShape {
                inherited,
                fields: &fields,
            };
            if rest.is_empty() {
                packing.bytes(&shape).next_multiple_of(8)
            } else {
                chain(packing, rest, Some(&shape))
            }
        }
        FORMS.map(|packing| chain(&packing, types, None))
    }

    /// Sizes that a JVM gave classes of its library and of a test program, from `java.lang.instrument`.
    #[test]
    fn classes_are_as_large_as_measured() {
        let (int, long, byte) = (Integer(4), Integer(8), Integer(1));
        for (what, types, measured) in [
            ("an object", &[&[][..]][..], [16, 16, 8]),
            ("a string", &[&[Reference, int, byte, Boolean]], [24, 32, 24]),
            ("a whole number in a box", &[&[int]], [16, 16, 16]),
            ("a long one", &[&[long]], [24, 24, 16]),
            (
                "a hash node",
                &[&[int, Reference, Reference, Reference]],
                [32, 40, 24],
            ),
            ("an optional long", &[&[Boolean, long]], [24, 24, 24]),
            ("a moment", &[&[long, int]], [24, 24, 24]),
            ("a local date", &[&[int, Integer(2), Integer(2)]], [24, 24, 16]),
            ("a list", &[&[int], &[int, Reference]], [24, 32, 24]),
            (
                "int, long, int inherited",
                &[&[int], &[long], &[int]],
                [32, 32, 24],
            ),
        ] {
            assert_eq!(sizes(types), measured, "{what}");
        }
    }

    #[test]
    fn what_a_type_adds_fills_the_holes_of_what_it_inherits() {
        // 12 to 16 is a hole before the long; the short takes two bytes of it, the boolean one more.
        assert_eq!(sizes(&[&[Float(8)], &[Integer(2)], &[Boolean]]), [24, 24, 24]);
        // Without its hole the same fields need another word.
        assert_eq!(
            sizes(&[&[Float(8), Integer(4)], &[Integer(2)], &[Boolean]]),
            [32, 32, 24]
        );
    }

    #[test]
    fn declared_order_keeps_its_holes() {
        let packing = Packing {
            header: 0,
            reference: 8,
            order: Order::Declared,
        };
        let bytes = |fields: &[Representation]| {
            let fields: Vec<Fields> = fields.iter().map(|field| field.times(1)).collect();
            packing.bytes(&RecordShape::own(&fields)).next_multiple_of(8)
        };
        // {bool, int64, bool, int32, bool} in Go, and the same sorted.
        let (long, int) = (Integer(8), Integer(4));
        assert_eq!(bytes(&[Boolean, long, Boolean, int, Boolean]), 32);
        assert_eq!(bytes(&[long, int, Boolean, Boolean, Boolean]), 16);
        assert_eq!(bytes(&[Any, Reference]), 16);
    }

    #[test]
    fn many_fields_are_placed_at_once() {
        let shape = [Any.times(1 << 60), Integer(4).times(3)];
        for packing in FORMS {
            let bytes = packing.bytes(&RecordShape::own(&shape));
            assert!(bytes >= packing.reference << 60, "{bytes}");
        }
        assert_eq!(
            FORMS[0].bytes(&RecordShape::own(&[Any.times(u64::MAX)])),
            u64::MAX
        );
    }
}
