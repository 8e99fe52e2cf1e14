//! What the buffers of one place would cost in a pool, and packed into numbers.

use deadweight_heap::{Buffer, EdgeKind, Flags, Heap, Numeric, ObjectId, Parts, Places, Representation};
use rustc_hash::{FxHashMap, FxHashSet};
use serde_json::{Value, json};

use super::users::{Users, beneath};
use super::{Group, PORTABLE};
use crate::Candidate;
use crate::claims::Claims;
use crate::count::Count;
use crate::parts::ClaimWhole;
use crate::rules::l07_open_records::closed;

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

pub(super) fn weigh_group(
    heap: &Heap,
    holder: &str,
    group: &Group,
    users: &Users,
    further: &Places,
) -> Vec<Candidate> {
    let mut held = Candidate::at(holder).at_all_places();
    let mut external = Candidate::at(holder).at_all_places();
    external.external = true;
    let mut sums = Sums::default();
    let mut gaps: FxHashMap<ObjectId, u64> = FxHashMap::default();
    let mut parts = Parts::default();
    let mut gone: FxHashSet<ObjectId> = FxHashSet::default();
    // Where no number stands in a field, each offset is an object.
    let unit = heap.layout.small_integer_bytes();
    let has_boxes = unit == 0;
    // Fields that hold whatever there is have less room for a number on some builds than on others.
    let has_builds = heap.layout.small_integers().is_some();
    let number = Representation::Integer(unit as u8);
    let offset = if has_builds { number } else { Representation::Any };
    for buffer in &group.tiny {
        let id = buffer.object;
        if has_boxes {
            let offset = heap.layout.number(Numeric::Integer(sums.bytes.cast_signed()));
            held.overhead += offset;
            sums.pool_growth += offset;
        }
        sums.views += parts.claim_whole(heap, &mut held, id);
        if buffer.gives_way {
            for of_view in users.runtime.of(heap, id).filter(|&row| gone.insert(row)) {
                sums.views += parts.claim_whole(heap, &mut held, of_view);
            }
        }
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
            let Some(record) = &heap.record(from).map(|record| closed(heap, record)) else {
                continue;
            };
            let grown = heap.reshaped(record, &[], &[offset.times(1)]).added();
            held.add_to(from, grown);
            sums.records += heap.bytes(from);
            sums.pool_growth += grown;
            if unit > 0 {
                let gone = Some(via.name());
                let packed = |unit: u64| number.times(buffer.bytes.div_ceil(unit));
                let growth = |unit| heap.reshaped(record, gone.as_slice(), &[packed(unit)]).added();
                sums.packed_growth += growth(unit);
                if has_builds {
                    sums.portable_growth += growth(unit.min(PORTABLE));
                }
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
    let are_numbers = group.tiny.iter().all(Buffer::holds_numbers);
    // Only a record has fields for them.
    let packs = unit > 0 && sums.records > 0;
    for candidate in [&mut held, &mut external] {
        candidate.count = count;
        candidate.unaffected = group.others;
        candidate.title = format!(
            "{} of {} each",
            if are_numbers {
                Count(count).of("array of numbers", "arrays of numbers")
            } else {
                Count(count).of("buffer", "buffers")
            },
            Count(sums.bytes / count).of("byte", "bytes")
        );
        candidate.fix = match (are_numbers, packs) {
            (true, true) => "keep the numbers in fields; or in one array for all, with an offset in the record",
            (true, false) => "keep the numbers in one array for all, with an offset where each array was",
            (false, true) => {
                "keep the bytes in one shared pool, with the pool and an offset in the record; or pack them into \
                 whole-number fields"
            }
            (false, false) => "keep the bytes in one shared pool, with an offset where each buffer was",
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
    describe(&mut held, &sums, count);
    if packs {
        let packed = alternative(&held, &sums, count, sums.packed_growth, 0);
        held.evidence.insert("packed".into(), packed);
    }
    if packs && has_builds {
        let portable = alternative(&held, &sums, count, sums.portable_growth, 0);
        held.evidence.insert("packed_portable".into(), portable);
    }
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

fn describe(held: &mut Candidate, sums: &Sums, count: u64) {
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
    let pool = alternative(held, sums, count, sums.pool_growth, sums.bytes);
    held.evidence.insert("pool".into(), pool);
}

/// What one way saves by which the records grow, and bytes stand outside the heap.
fn alternative(held: &Candidate, sums: &Sums, count: u64, growth: u64, external: u64) -> Value {
    let record = sums.records;
    json!({
        "bytes_each_after": (record + growth + external) / count,
        "held_each_after": (record + growth) / count,
        "external_each_after": external / count,
        "saves": held.claims.bytes().saturating_sub(growth),
        "saves_external": sums.external_now.cast_signed() - external.cast_signed(),
    })
}
