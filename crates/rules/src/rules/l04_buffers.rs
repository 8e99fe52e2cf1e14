//! # L04 · tiny buffers
//!
//! ## What it is
//! Many buffers of up to 64 bytes: ids, hashes, keys, addresses, each behind an object of its own.
//!
//! ## Why it costs
//! The object that shows a few bytes is several times larger than they are. Where each buffer also owns its memory, an
//! allocation's rounding and header are added.
//!
//! ## How it is found
//! Buffers of 1 to 64 bytes, grouped by the holder that names them, at least 256.
//!
//! A view whose length the dump does not say counts with its share of the buffer it stands in, and the finding is
//! then an estimate.
//!
//! ## How the saving is computed
//! The finding predicts a *pool*: the view goes, with what serves it alone; the record that held it keeps one
//! reference, to the pool, and gains a slot for the offset; the bytes stand without a gap in memory outside the heap. A
//! second finding, of external bytes, says what rounding goes there. Where bytes move out of the heap instead, the
//! saving is less those bytes.
//! The evidence has each way with its bytes per object: `pool`; `packed_portable`, whole numbers of three bytes, which
//! fit a slot on every build of a runtime; and `packed`, where whole-number slots of the
//! record hold the bytes themselves instead of the reference.
//!
//! ## How to fix it
//! For a few bytes, pack them into fields; for more, or when they must be passed on as bytes, put them into a pool.
//!
//! - JavaScript: three `| 0` fields for 12 bytes; or one `Uint8Array` of 1,000 ids and `(pool, offset)`.
//! - Java, C#, Go: `long` fields or an array inside the struct. Ruby: a packed `String` of all ids.
//!
//! ## When not to
//! When the objects are handed to libraries that want buffers all the time, each call makes the view again. A pool
//! lives as long as its last id: keep ids that live and die together in one.

use deadweight_heap::{
    Buffer, EdgeKind, Flags, Heap, HolderId, Holders, Kind, NONE, ObjectId, Parts, Places, Representation,
};
use rustc_hash::FxHashMap;
use serde_json::json;

use crate::claims::Claims;
use crate::count::Count;
use crate::parts::ClaimWhole;
use crate::{Candidate, Code, Rule, Verdict};

/// Larger buffers are worth an object.
const TINY: u64 = 64;
/// Whole bytes that fit a small integer on every build: a library that must run on all of them packs so many.
const PORTABLE: u64 = 3;
/// Fewer than this are no pattern.
const LEAST: usize = 256;

/// The rule.
pub struct TinyBuffers;

impl Rule for TinyBuffers {
    fn code(&self) -> Code {
        Code("L04")
    }

    fn source(&self) -> &'static str {
        include_str!("l04_buffers.rs")
    }

    fn look(&self, heap: &Heap) -> Verdict {
        let holders = Holders::new(heap);
        let mut groups: FxHashMap<HolderId, Group> = FxHashMap::default();
        let users = Users::of(heap);
        for buffer in &heap.buffers {
            let id = buffer.object;
            if heap.buffer(id).is_none() || !heap.in_program(id) || is_beneath_a_view(heap, id) {
                continue;
            }
            let group = groups.entry(holders.of(id)).or_default();
            let bytes = users.bytes_of(heap, buffer);
            if (1..=TINY).contains(&bytes) && heap.bytes(id) > 0 {
                group.assumed |= buffer.bytes == u64::MAX;
                group.tiny.push(Buffer { bytes, ..*buffer });
            } else {
                group.others += 1;
            }
        }
        groups.retain(|_, group| group.tiny.len() >= LEAST);
        if groups.is_empty() {
            return Verdict::default();
        }
        let mut groups: Vec<_> = groups.into_iter().collect();
        groups.sort_unstable_by_key(|(holder, _)| *holder);
        let owners = further_owners(heap, &groups);
        groups
            .iter()
            .flat_map(|(holder, group)| weigh_group(heap, &holders.name(*holder), group, &users, &owners))
            .collect::<Vec<_>>()
            .into()
    }
}

#[derive(Default)]
struct Group {
    tiny: Vec<Buffer>,
    /// A length is not in the dump, and was taken from the room there is.
    assumed: bool,
    others: u64,
}

/// How many views use each backing and each buffer object beneath them.
struct Users {
    of_backing: FxHashMap<ObjectId, u32>,
    of_buffer: FxHashMap<ObjectId, u32>,
}

impl Users {
    fn of(heap: &Heap) -> Self {
        let mut users = Self {
            of_backing: FxHashMap::default(),
            of_buffer: FxHashMap::default(),
        };
        for buffer in &heap.buffers {
            if !buffer.is_backing && buffer.backing != NONE {
                *users.of_backing.entry(buffer.backing).or_default() += 1;
            }
            for beneath in beneath(heap, buffer.object) {
                *users.of_buffer.entry(beneath).or_default() += 1;
            }
        }
        users
    }

    /// Bytes a view spans. One whose length the dump does not say has an even share of the buffer it stands in: of
    /// a pool cut into many slices that is the most it can be on average.
    fn bytes_of(&self, heap: &Heap, buffer: &Buffer) -> u64 {
        let views = self.of_backing.get(&buffer.backing).copied().unwrap_or(0);
        if buffer.bytes != u64::MAX || views == 0 {
            return buffer.bytes;
        }
        heap.bytes(buffer.backing) / u64::from(views)
    }
}

/// The buffer objects that a view shows a window of.
fn beneath(heap: &Heap, view: ObjectId) -> impl Iterator<Item = ObjectId> + '_ {
    heap.edges.of(view).filter_map(move |edge| {
        let to = edge.to;
        let is_buffer = heap.objects.kind.get(to as usize) == Some(&Kind::Buffer);
        let is_whole = is_buffer && to != view && !heap.objects.has(to, Flags::PART);
        (is_whole && edge.via.kind() == EdgeKind::Internal).then_some(to)
    })
}

fn is_beneath_a_view(heap: &Heap, id: ObjectId) -> bool {
    heap.referrers
        .of(id)
        .is_some_and(|(from, via)| via.kind() == EdgeKind::Internal && heap.kind(from) == Kind::Buffer)
}

/// References of records to a tiny buffer beside the one that names it: each record gains an offset too.
fn further_owners(heap: &Heap, groups: &[(HolderId, Group)]) -> Places {
    let tiny = groups.iter().flat_map(|(_, group)| &group.tiny);
    let tiny = heap.row_set(tiny.map(|buffer| buffer.object));
    heap.places_of(&tiny, |reference| {
        reference.via.kind() == EdgeKind::Field
            && heap.record(reference.from).is_some()
            && heap.referrers.of(reference.to) != Some((reference.from, reference.via))
    })
}

/// Sums over one group, in bytes.
#[derive(Default)]
struct Sums {
    records: u64,
    views: u64,
    bytes: u64,
    external_now: u64,
    pool_growth: u64,
    packed_growth: u64,
    portable_growth: u64,
}

fn weigh_group(heap: &Heap, holder: &str, group: &Group, users: &Users, further: &Places) -> Vec<Candidate> {
    let mut held = Candidate::at(holder);
    let mut external = Candidate::at(holder);
    external.external = true;
    let mut sums = Sums::default();
    let mut gaps: FxHashMap<ObjectId, u64> = FxHashMap::default();
    let mut parts = Parts::default();
    let unit = heap
        .layout
        .small_integers()
        .map_or(0, |_| heap.layout.small_integer_bytes());
    let whole = if unit > 0 {
        Representation::Integer(unit as u8)
    } else {
        Representation::Any
    };
    for buffer in &group.tiny {
        let id = buffer.object;
        sums.views += parts.claim_whole(heap, &mut held, id);
        for own in beneath(heap, id) {
            let alone = users.of_buffer.get(&own) == Some(&1);
            let named_by_view = heap.referrers.of(own).is_some_and(|(from, _)| from == id);
            if alone && named_by_view && heap.in_program(own) {
                sums.views += parts.claim_whole(heap, &mut held, own);
            }
        }
        let first = heap
            .referrers
            .of(id)
            .filter(|(_, via)| via.kind() == EdgeKind::Field);
        let others = further.of(id).iter();
        let others = others.map(|reference| (reference.from, reference.via));
        for (from, via) in first.into_iter().chain(others) {
            let Some(record) = heap.record(from) else { continue };
            let grown = heap.reshaped(record, None, &[whole.times(1)]).added();
            held.add_to(from, grown);
            sums.records += heap.bytes(from);
            sums.pool_growth += grown;
            if unit > 0 {
                let gone = Some(via.name());
                let packed = |unit: u64| whole.times(buffer.bytes.div_ceil(unit));
                let growth = |unit| heap.reshaped(record, gone, &[packed(unit)]).added();
                sums.packed_growth += growth(unit);
                sums.portable_growth += growth(unit.min(PORTABLE));
            }
        }
        sums.bytes += buffer.bytes;
        sums.external_now += external_bytes(heap, buffer, users, &mut external, &mut gaps);
    }
    let mut shared: Vec<_> = gaps.into_iter().collect();
    shared.sort_unstable();
    for (backing, gap) in shared {
        external.claim(backing, gap.min(heap.bytes(backing)));
    }
    let count = group.tiny.len() as u64;
    for candidate in [&mut held, &mut external] {
        candidate.count = count;
        candidate.unaffected = group.others;
        candidate.title = format!(
            "{} of {} each",
            Count(count).of("buffer", "buffers"),
            Count(sums.bytes / count).of("byte", "bytes")
        );
        candidate.fix = if unit > 0 {
            "bytes in one shared pool, or packed into whole-number fields"
        } else {
            "keep the bytes in one shared pool, with an offset in the record"
        }
        .into();
    }
    held.bytes_now = sums.views;
    external.bytes_now = sums.external_now;
    external = external.assuming("slices of a shared buffer start at a multiple of a slot");
    if group.assumed {
        held = held.assuming("views share the buffer they stand in evenly");
    }
    // What moves out of the heap and stays in memory is no saving: it is booked where its bytes are freed.
    let freed = external.claims.bytes();
    if external.overhead > freed {
        held.overhead += external.overhead - freed;
        external.claims = Claims::default();
        external.overhead = 0;
    }
    describe(&mut held, &sums, count, unit > 0);
    external.evidence.clone_from(&held.evidence);
    vec![held, external]
}

/// Books what a pool changes outside the heap for one buffer. Gives the bytes charged there now.
fn external_bytes(
    heap: &Heap,
    buffer: &Buffer,
    users: &Users,
    external: &mut Candidate,
    gaps: &mut FxHashMap<ObjectId, u64>,
) -> u64 {
    let flags = heap.objects.flags.get(buffer.backing as usize);
    if !flags.is_some_and(|flags| flags.has(Flags::EXTERNAL)) {
        // The bytes stand in the heap now and move out.
        external.overhead += buffer.bytes;
        return 0;
    }
    if users
        .of_backing
        .get(&buffer.backing)
        .is_none_or(|&views| views == 1)
    {
        let now = heap.bytes(buffer.backing);
        if now > buffer.bytes {
            external.claim(buffer.backing, now - buffer.bytes);
        }
        return now;
    }
    let now = buffer
        .bytes
        .next_multiple_of(heap.layout.elements(Representation::Any, 1).max(1));
    *gaps.entry(buffer.backing).or_default() += now - buffer.bytes;
    now
}

fn describe(held: &mut Candidate, sums: &Sums, count: u64, packable: bool) {
    let claimed = held.claims.bytes();
    let record = sums.records;
    let now = record + sums.views + sums.external_now;
    held.evidence
        .insert("bytes_each".into(), json!(sums.bytes / count));
    held.evidence.insert(
        "now".into(),
        json!({
            "bytes_each": now / count,
            "record": record / count,
            "views": sums.views / count,
            "external": sums.external_now / count,
        }),
    );
    let alternative = |growth: u64, external: u64| {
        json!({
            "bytes_each_after": (record + growth + external) / count,
            "held_each_after": (record + growth) / count,
            "external_each_after": external / count,
            "saves": claimed.saturating_sub(growth),
            "saves_external": sums.external_now.cast_signed() - external.cast_signed(),
        })
    };
    held.evidence
        .insert("pool".into(), alternative(sums.pool_growth, sums.bytes));
    if packable {
        held.evidence
            .insert("packed".into(), alternative(sums.packed_growth, 0));
        held.evidence
            .insert("packed_portable".into(), alternative(sums.portable_growth, 0));
    }
}

#[cfg(test)]
mod tests;
