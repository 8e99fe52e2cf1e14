//! Digests of what a heap holds that say the same in another heap: no row and no id goes into them.
//!
//! **Invariant: what has a digest is known whole.** Whatever holds a value that the dump does not show has none, and so has
//! all that holds such a thing.

use std::hash::{BuildHasher, RandomState};
use std::sync::OnceLock;

use deadweight_heap::{EdgeKind, Flags, Heap, Kind, NONE, Numeric, ObjectId, Presence, Via};
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use twox_hash::XxHash3_64;

use super::values;

/// What is nested deeper is not compared.
const LEVELS: u32 = 32;

/// A shorter text stands anywhere by chance, and so do fewer bytes that are not zero.
const LEAST_TEXT: usize = 8;
const LEAST_BYTES: u64 = 24;

/// Rows that one thread takes at a time.
const PIECE: usize = 1 << 12;

/// The bit of a digest that says that nothing of this content is there by chance.
const TELLING: u64 = 1;

/// A number for each row; 0 for one whose content is not known.
pub(super) struct Digests(Vec<u64>);

impl Digests {
    /// Texts, numbers and buffers first, then from the inside out what holds nothing but known values: by its type, the
    /// names of its references, and what they lead to.
    pub(super) fn of(heap: &Heap, in_common: &[u64]) -> Self {
        let in_common: FxHashSet<u64> = in_common.iter().copied().collect();
        let buffers = buffers(heap, &in_common);
        let names = Names::of(heap);
        let rows = || heap.rows().into_par_iter().with_min_len(PIECE);
        let mut digests: Vec<u64> = rows()
            .map(|row| match buffers.get(&row) {
                Some(&known) => known,
                None => leaf(heap, &names, row),
            })
            .collect();
        let mut open: Vec<ObjectId> = rows()
            .filter(|&row| digests[row as usize] == 0 && values::are_shown(heap, row))
            .collect();
        for _ in 0..LEVELS {
            let tried = open.par_iter().with_min_len(PIECE);
            let settled: Vec<(ObjectId, u64)> = tried
                .filter_map(|&row| Some((row, names.outer(heap, row, &digests)?)))
                .collect();
            if settled.is_empty() {
                break;
            }
            for (row, digest) in settled {
                digests[row as usize] = digest;
            }
            open.retain(|&row| digests[row as usize] == 0);
        }
        Self(digests)
    }

    /// Whether the content of a row is known.
    pub(super) fn is_known(&self, row: ObjectId) -> bool {
        self.0[row as usize] != 0
    }

    /// The digest of a row whose content is known, and is nowhere by chance.
    pub(super) fn telling(&self, row: ObjectId) -> Option<u64> {
        let digest = self.0[row as usize];
        (digest & TELLING != 0).then_some(digest)
    }
}

/// A digest is never 0.
fn digest(word: u64, is_telling: bool) -> u64 {
    if is_telling {
        word | TELLING
    } else {
        (word & !TELLING).max(2)
    }
}

/// Of what holds nothing else; 0 where its content is not known.
fn leaf(heap: &Heap, names: &Names, row: ObjectId) -> u64 {
    if heap.objects.has(row, Flags::PART) || heap.objects.has(row, Flags::INCOMPLETE) {
        return 0;
    }
    let known = match heap.kind(row) {
        Kind::String => return text(heap, row),
        Kind::Opaque if heap.blocks.any() => return block(heap, row),
        Kind::Number | Kind::Date => alone(heap, names, row),
        kind @ (Kind::Record | Kind::Array | Kind::Table) => heap
            .is_empty_container(row)
            .then(|| mix(mix(6, kind as u64), names.of_type(heap, row))),
        _ => None,
    };
    known.map_or(0, |word| digest(word, false))
}

/// Of a number or a date. Dates of two types are two values, and so are numbers where types belong to them. What a zone
/// says is not looked at: a date that refers to one is not known.
fn alone(heap: &Heap, names: &Names, row: ObjectId) -> Option<u64> {
    let kind = heap.kind(row);
    let word = match kind {
        Kind::Date => of_number(4, Numeric::of_float(heap.date(row)?.value))?,
        _ => of_number(3, heap.number(row)?.value())?,
    };
    let is_typed = heap.layout.are_typed(kind);
    if kind == Kind::Number && !is_typed {
        return Some(word);
    }
    let refers = || heap.edges.of(row).any(|edge| edge.field().is_some());
    (!is_typed || !refers()).then(|| mix(word, names.of_type(heap, row)))
}

fn text(heap: &Heap, row: ObjectId) -> u64 {
    let text = heap.texts.raw(heap.objects.label[row as usize]);
    // A text that a recorder only found to be equal to others stands nowhere.
    let stands_here = !text.is_empty() || heap.objects.has(row, Flags::FLAT);
    if heap.shows_text(row) && stands_here && heap.coverage.texts != Presence::Absent {
        digest(mix(1, hash(text)), text.len() >= LEAST_TEXT)
    } else {
        0
    }
}

/// Of a raw block that refers to nothing and is too small for a buffer.
fn block(heap: &Heap, row: ObjectId) -> u64 {
    if heap.edges.of(row).next().is_some() {
        return 0;
    }
    let Some(content) = heap.blocks.content(row) else {
        return 0;
    };
    let used = content.iter().filter(|&&byte| byte != 0).count() as u64;
    digest(
        mix(mix(5, content.len() as u64), hash(&content)),
        used >= LEAST_BYTES,
    )
}

/// Of buffers whose contents are known, by the rows of their objects and of what is charged for their bytes.
fn buffers(heap: &Heap, in_common: &FxHashSet<u64>) -> FxHashMap<ObjectId, u64> {
    let mut backings: FxHashMap<ObjectId, (u64, u64)> = FxHashMap::default();
    let mut known = FxHashMap::default();
    for buffer in heap.buffers.iter().filter(|buffer| buffer.is_backing) {
        if buffer.hash == 0 || buffer.zeros == u64::MAX || buffer.bytes == u64::MAX {
            continue;
        }
        let counts = mix(buffer.zeros, buffer.words_used);
        let word = mix(mix(mix(2, buffer.bytes), counts), buffer.hash);
        let used = buffer.bytes.saturating_sub(buffer.zeros);
        let is_telling = used >= LEAST_BYTES && !in_common.contains(&buffer.hash);
        if buffer.backing != NONE && buffer.backing != buffer.object {
            backings.insert(buffer.backing, (buffer.bytes, word));
            known.insert(buffer.backing, digest(word, is_telling));
        }
        known.insert(buffer.object, digest(mix(7, word), is_telling));
    }
    // Where a view begins is known if it spans everything.
    for view in heap.buffers.iter().filter(|buffer| !buffer.is_backing) {
        if let Some(&(_, word)) = backings
            .get(&view.backing)
            .filter(|(bytes, _)| *bytes == view.bytes)
        {
            known.insert(
                view.object,
                digest(mix(8, word), known[&view.backing] & TELLING != 0),
            );
        }
    }
    known
}

/// Hashes of the names of types.
struct Names {
    types: Vec<u64>,
}

impl Names {
    fn of(heap: &Heap) -> Self {
        let most = heap
            .rows()
            .into_par_iter()
            .with_min_len(PIECE)
            .filter(|&row| heap.kind(row) != Kind::String)
            .map(|row| heap.objects.label[row as usize])
            .max();
        let types = 0..most.map_or(0, |most| most + 1);
        Self {
            types: types.map(|ty| hash(heap.types.name(ty).as_bytes())).collect(),
        }
    }

    fn of_type(&self, heap: &Heap, row: ObjectId) -> u64 {
        self.types[heap.objects.label[row as usize] as usize]
    }

    /// Of something that holds others; `None` while one of them is not known.
    fn outer(&self, heap: &Heap, row: ObjectId, digests: &[u64]) -> Option<u64> {
        let mut sum = 0_u64;
        let mut is_telling = false;
        // The order of fields does not matter.
        for edge in values::references(heap, row) {
            let inner = digests
                .get(edge.to as usize)
                .copied()
                .filter(|&inner| inner != 0)?;
            is_telling |= inner & TELLING != 0;
            sum = sum.wrapping_add(mix(name(heap, edge.via)?, inner));
        }
        for field in heap.fields_of_value(row) {
            let value = match values::scalar(heap, row, field)? {
                values::Scalar::Number(number) => of_number(3, number)?,
                values::Scalar::Other(tag, value) => mix(mix(9, tag), value),
            };
            sum = sum.wrapping_add(mix(mix(10, hash(heap.texts.raw(field.name))), value));
        }
        let word = mix(mix(heap.kind(row) as u64, self.of_type(heap, row)), sum);
        Some(digest(word, is_telling))
    }
}

/// `None` for a way that has no name outside of its dump.
fn name(heap: &Heap, via: Via) -> Option<u64> {
    let name = match via.kind() {
        EdgeKind::Field | EdgeKind::Variable => hash(heap.texts.raw(via.name())),
        // Their places in order.
        EdgeKind::Element | EdgeKind::Key | EdgeKind::Value => u64::from(via.name()),
        EdgeKind::Internal | EdgeKind::Weak => return None,
    };
    Some(mix(via.kind() as u64, name))
}

fn of_number(tag: u64, value: Numeric) -> Option<u64> {
    let (sort, bits) = value.known_key()?;
    Some(mix(mix(tag, u64::from(sort)), bits))
}

/// With a key of this process, so that nobody can make up two texts with the same hash.
fn hash(bytes: &[u8]) -> u64 {
    static KEY: OnceLock<u64> = OnceLock::new();
    let key = *KEY.get_or_init(|| RandomState::new().hash_one(0));
    XxHash3_64::oneshot_with_seed(key, bytes)
}

/// Mixes two words so that every bit of either reaches every bit of the result.
fn mix(a: u64, b: u64) -> u64 {
    let product =
        u128::from(a ^ 0x9E37_79B9_7F4A_7C15) * u128::from(b.rotate_left(32) ^ 0xD6E8_FEB8_6659_FD93);
    let folded = (product as u64) ^ (product >> 64) as u64;
    (folded ^ (folded >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9) ^ a.rotate_left(17)
}
