//! Whatever the heap, every byte is weighed once.

use deadweight_heap::{EdgeKind, Flags, Heap, HeapBuilder, Kind, ObjectId, Presence, UNKNOWN};
use deadweight_rules::{Options, all, weigh};
use deadweight_weighing::{Finding, Holding, OTHERS, Source, Tier, Weighing};
use proptest::prelude::*;
use rustc_hash::FxHashMap;

/// One thing to put on a heap. Objects are chosen among those already there, by a number.
#[derive(Clone, Debug)]
enum Put {
    Text(u8, u16),
    Number(i8),
    Date(i8),
    Record(u8, Vec<u16>),
    Dictionary(u8, Vec<u16>),
    Array(u8, Vec<u16>),
    Map(u8, Vec<(u16, u16)>),
    Buffer(u32, u8, u8),
    View(u16, u16),
    Rope(u16, u16),
    Slice(u16, bool),
    Opaque(Kind, u16),
    Edge(u16, u8, u16),
    Flag(u16, Flags),
    Unknown(u16),
    Wider(u16, u8),
}

fn put() -> impl Strategy<Value = Put> {
    let some = || prop::collection::vec(any::<u16>(), 0..4);
    let kinds = prop::sample::select(vec![Kind::Runtime, Kind::Opaque, Kind::Closure, Kind::Scope]);
    let flags = prop::sample::select(vec![Flags::ENGINE, Flags::RECORDER, Flags::INCOMPLETE]);
    prop_oneof![
        (0..6_u8, 0..300_u16).prop_map(|(a, b)| Put::Text(a, b)),
        (0..3_i8).prop_map(Put::Number),
        (0..3_i8).prop_map(Put::Date),
        (0..3_u8, some()).prop_map(|(a, b)| Put::Record(a, b)),
        (0..3_u8, some()).prop_map(|(a, b)| Put::Dictionary(a, b)),
        (0..40_u8, some()).prop_map(|(a, b)| Put::Array(a, b)),
        (0..40_u8, prop::collection::vec(any::<(u16, u16)>(), 0..4)).prop_map(|(a, b)| Put::Map(a, b)),
        (0..200_000_u32, any::<u8>(), 0..3_u8).prop_map(|(a, b, c)| Put::Buffer(a, b, c)),
        any::<(u16, u16)>().prop_map(|(a, b)| Put::View(a, b)),
        any::<(u16, u16)>().prop_map(|(a, b)| Put::Rope(a, b)),
        any::<(u16, bool)>().prop_map(|(a, b)| Put::Slice(a, b)),
        (kinds, 0..500_u16).prop_map(|(a, b)| Put::Opaque(a, b)),
        any::<(u16, u8, u16)>().prop_map(|(a, b, c)| Put::Edge(a, b, c)),
        (any::<u16>(), flags).prop_map(|(a, b)| Put::Flag(a, b)),
        any::<u16>().prop_map(Put::Unknown),
        (any::<u16>(), 1..9_u8).prop_map(|(a, b)| Put::Wider(a, b)),
    ]
}

const FIELDS: [&str; 4] = ["a", "b", "c", "d"];

#[derive(Default)]
struct Known {
    all: Vec<ObjectId>,
    strings: Vec<ObjectId>,
    buffers: Vec<ObjectId>,
    records: Vec<ObjectId>,
    arrays: Vec<ObjectId>,
    tables: Vec<ObjectId>,
}

fn pick(from: &[ObjectId], number: u16) -> Option<ObjectId> {
    from.get(usize::from(number) % from.len().max(1)).copied()
}

fn build(puts: &[(Put, u8)]) -> Heap {
    let mut heap = HeapBuilder::new();
    let mut known = Known::default();
    for (put, times) in puts {
        // Turns of one kind choose among what was there before them, so that many come out equal.
        let mut made = Vec::new();
        for turn in 0..*times {
            let Some(id) = place(&mut heap, &mut known, put, turn) else {
                continue;
            };
            made.push(id);
            if turn % 8 != 7 {
                heap.variable("kept", id);
            }
        }
        known.all.extend(made);
    }
    heap.build()
}

fn place(heap: &mut HeapBuilder, known: &mut Known, put: &Put, turn: u8) -> Option<ObjectId> {
    let fields = |numbers: &[u16]| -> Vec<(&str, ObjectId)> {
        let chosen = numbers.iter().filter_map(|&number| pick(&known.all, number));
        FIELDS.into_iter().zip(chosen).collect()
    };
    Some(match put {
        Put::Text(letter, length) => {
            let times = if *letter == 0 { 1000 } else { 1 };
            let letter = char::from(b'a' + letter);
            let id = heap.string(&letter.to_string().repeat(usize::from(*length) * times));
            known.strings.push(id);
            id
        }
        Put::Number(value) => heap.number(f64::from(*value)),
        Put::Date(value) => heap.date(f64::from(*value)),
        Put::Record(class, numbers) => {
            let id = heap.record(&format!("Class{class}"), &fields(numbers));
            known.records.push(id);
            id
        }
        Put::Dictionary(class, numbers) => heap.dictionary(&format!("Class{class}"), 8, &fields(numbers)),
        Put::Array(room, numbers) => {
            let elements: Vec<_> = numbers.iter().filter_map(|&n| pick(&known.all, n)).collect();
            let id = heap.array(u32::from(*room).max(elements.len() as u32), &elements);
            known.arrays.push(id);
            id
        }
        Put::Map(room, numbers) => {
            let entries: Vec<_> = numbers
                .iter()
                .filter_map(|&(key, value)| Some((pick(&known.all, key)?, pick(&known.all, value)?)))
                .collect();
            let id = heap.map(u32::from(*room).max(entries.len() as u32), &entries);
            known.tables.push(id);
            id
        }
        Put::Buffer(bytes, zeros, hash) => {
            let bytes = u64::from(*bytes);
            let id = heap.buffer(bytes, bytes * u64::from(*zeros) / 255, u64::from(*hash));
            known.buffers.push(id);
            id
        }
        Put::View(of, bytes) => heap.view(
            pick(&known.buffers, of.wrapping_add(u16::from(turn)))?,
            u64::from(*bytes),
        ),
        Put::Rope(first, second) => {
            let mut id = pick(&known.strings, *first)?;
            for _ in 0..=turn {
                let piece = if second % 2 == 0 {
                    heap.string("piece")
                } else {
                    pick(&known.strings, *second)?
                };
                id = heap.rope(id, piece);
            }
            known.strings.push(id);
            id
        }
        Put::Slice(of, shown) => {
            let of = pick(&known.strings, *of)?;
            let id = heap.slice(of, if *shown { "a text of some length" } else { "" });
            known.strings.push(id);
            id
        }
        Put::Opaque(kind, bytes) => heap.object(*kind, "Thing", u64::from(*bytes)),
        Put::Edge(from, kind, to) => {
            let (from, to) = (pick(&known.all, *from)?, pick(&known.all, *to)?);
            let kinds = [
                EdgeKind::Internal,
                EdgeKind::Weak,
                EdgeKind::Element,
                EdgeKind::Value,
            ];
            heap.edge(from, kinds[usize::from(*kind) % kinds.len()], u32::from(turn), to);
            return None;
        }
        Put::Flag(id, flags) => {
            heap.flag(pick(&known.all, *id)?, *flags);
            return None;
        }
        Put::Unknown(number) => {
            if let Some(id) = pick(&known.arrays, *number) {
                heap.change_array(id, |array| array.used = UNKNOWN);
            }
            if let Some(id) = pick(&known.tables, *number) {
                heap.change_table(id, |table| table.capacity = UNKNOWN);
            }
            if let Some(id) = pick(&known.buffers, *number) {
                heap.change_buffer(id, |buffer| {
                    (buffer.zeros, buffer.words_used, buffer.hash) = (u64::MAX, u64::MAX, 0);
                });
            }
            return None;
        }
        Put::Wider(number, slots) => {
            let id = pick(&known.records, *number)?;
            heap.change_record(id, |record| record.available += u32::from(*slots));
            return None;
        }
    })
}

fn source() -> Source {
    Source {
        path: "heap".into(),
        bytes: 0,
        format: "test".into(),
    }
}

fn weighed(heap: &Heap, fold_below: f64) -> Weighing {
    weigh(
        heap,
        source(),
        &Options {
            fold_below,
            ..Options::all()
        },
    )
}

fn saved(weighing: &Weighing, external: bool) -> u64 {
    let findings = weighing
        .findings
        .iter()
        .filter(|finding| finding.external == external);
    findings.map(|finding| finding.saves).sum()
}

fn saved_surely(weighing: &Weighing, external: bool) -> u64 {
    let findings = weighing.findings.iter();
    let sure = findings.filter(|finding| finding.external == external && finding.tier == Tier::Sure);
    sure.map(|finding| finding.saves).sum()
}

/// Groups have two members or more that are listed, no member is in two, and what they save adds up.
fn check_groups(weighing: &Weighing) -> Result<(), TestCaseError> {
    let mut listed: FxHashMap<&str, &Finding> = weighing
        .findings
        .iter()
        .filter(|finding| finding.rule != OTHERS)
        .map(|finding| (finding.fingerprint.as_str(), finding))
        .collect();
    for group in &weighing.groups {
        prop_assert!(group.findings.len() > 1);
        let mut saves = 0;
        for member in &group.findings {
            let Some(finding) = listed.remove(member.as_str()) else {
                return Err(TestCaseError::fail(format!(
                    "{member} is not listed, or in two groups"
                )));
            };
            let same = (&*finding.rule, finding.tier, finding.external);
            prop_assert_eq!(same, (&*group.rule, group.tier, group.external));
            saves += finding.saves;
        }
        prop_assert_eq!(saves, group.saves);
    }
    Ok(())
}

fn on_threads(heap: &Heap, threads: usize) -> Weighing {
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .expect("a pool of threads")
        .install(|| weighed(heap, 0.0))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 192, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_sums_agree(puts in prop::collection::vec((put(), 1..40_u8), 1..40)) {
        let heap = build(&puts);
        for fold_below in [0.0, Options::default().fold_below, 1.0] {
            let weighing = weighed(&heap, fold_below);
            let held = &weighing.held;
            prop_assert_eq!(held.content + held.runtime + held.dead, held.bytes);
            let holdings = weighing.holdings.as_ref().expect("a new weighing has them");
            let (places, folded) = (&holdings.places, &holdings.folded);
            let sum = |of: fn(&Holding) -> u64| places.iter().map(of).sum::<u64>();
            prop_assert_eq!(sum(|place| place.bytes) + folded.bytes, held.bytes);
            let largest = folded.largest.unwrap_or(0);
            prop_assert_eq!(folded.largest.is_some(), folded.places > 0);
            prop_assert!(largest <= folded.bytes + folded.external);
            prop_assert!(largest * folded.places >= folded.bytes + folded.external);
            // What fixes add at places that are not there yet is missing from what is left.
            let left = sum(|place| place.left.unwrap_or(u64::MAX)) + folded.left.unwrap_or_default();
            prop_assert!(left <= held.bytes - held.dead);
            prop_assert_eq!(held.bytes, heap.held_bytes());
            prop_assert_eq!(saved(&weighing, false), held.dead);
            prop_assert_eq!(saved(&weighing, true), weighing.external.dead);
            prop_assert!(weighing.external.dead <= weighing.external.bytes);
            prop_assert_eq!(Some(saved_surely(&weighing, false)), held.dead_sure);
            prop_assert_eq!(Some(saved_surely(&weighing, true)), weighing.external.dead_sure);
            let all = weighing.findings.iter().chain(&weighing.options);
            for finding in all.filter(|finding| finding.tier == Tier::Likely) {
                prop_assert!(finding.assumes.is_some(), "{:?}", finding);
            }
            check_groups(&weighing)?;
            for finding in weighing.findings.iter().filter(|finding| finding.rule != OTHERS) {
                prop_assert!(finding.saves_alone <= finding.bytes_now, "{:?}", finding);
            }
        }
    }

    #[test]
    fn no_candidate_frees_more_of_a_row_than_it_has(puts in prop::collection::vec((put(), 1..40_u8), 1..40)) {
        let heap = build(&puts);
        for rule in all() {
            let candidates = rule.look(&heap).candidates;
            let mut places: Vec<_> = candidates.iter().map(|c| (&c.holder, c.variant, &c.site, c.external)).collect();
            places.sort_unstable();
            let count = places.len();
            places.dedup();
            prop_assert_eq!(places.len(), count, "{} names a place twice", rule.code());
            for candidate in candidates {
                let mut freed: FxHashMap<ObjectId, u64> = FxHashMap::default();
                for claim in candidate.claims.iter() {
                    *freed.entry(claim.object).or_default() += u64::from(claim.bytes);
                }
                for (&row, &bytes) in &freed {
                    prop_assert!(bytes <= heap.bytes(row), "{} at {}: row {row}", rule.code(), candidate.holder);
                    prop_assert_eq!(heap.objects.has(row, Flags::EXTERNAL), candidate.external);
                }
                for extra in candidate.overhead_rows.iter() {
                    prop_assert_eq!(heap.objects.has(extra.object, Flags::EXTERNAL), candidate.external);
                }
            }
        }
    }

    #[test]
    fn a_place_retains_its_own_bytes_and_no_more_than_all(puts in prop::collection::vec((put(), 1..40_u8), 1..40)) {
        let heap = build(&puts);
        let weighing = weigh(&heap, source(), &Options { retained: true, ..Options::all() });
        let all = weighing.held.bytes + weighing.external.bytes;
        for place in &weighing.holdings.as_ref().expect("a new weighing has them").places {
            prop_assert_eq!(place.retained.is_none(), place.runtime);
            if let Some(retained) = place.retained {
                let own = place.bytes + place.external;
                prop_assert!(own <= retained && retained <= all, "{own} ≤ {retained} ≤ {all}: {place:?}");
            }
        }
    }

    #[test]
    fn threads_change_nothing(puts in prop::collection::vec((put(), 1..40_u8), 1..40)) {
        let heap = build(&puts);
        let one = on_threads(&heap, 1);
        prop_assert_eq!(&one, &on_threads(&heap, 4));
        prop_assert_eq!(&one, &on_threads(&heap, 1));
    }
}

#[test]
fn what_saves_less_than_a_page_is_folded_whatever_its_share() {
    let mut heap = HeapBuilder::new();
    for _ in 0..2 {
        let small = heap.buffer(2000, 0, 1);
        heap.variable("small", small);
        let large = heap.buffer(10_000, 0, 2);
        heap.variable("large", large);
    }
    let heap = heap.build();
    let rules = |options: &Options| {
        let found = weigh(&heap, source(), options).findings;
        let mut rules: Vec<_> = found
            .into_iter()
            .map(|finding| (finding.rule, finding.holder))
            .collect();
        rules.sort();
        rules
    };
    let default = rules(&Options::default());
    assert!(
        default
            .iter()
            .any(|(rule, holder)| rule == "D02" && holder == "large"),
        "{default:?}"
    );
    assert!(
        !default.iter().any(|(_, holder)| holder == "small"),
        "{default:?}"
    );
    assert!(default.iter().any(|(rule, _)| rule == OTHERS), "{default:?}");
    assert!(rules(&Options::all()).iter().any(|(_, holder)| holder == "small"));
}

/// Caches of a few bytes each beside many texts, one of which holds a large text.
fn caches(edges: Presence) -> Weighing {
    let mut heap = HeapBuilder::new();
    for cache in 0..1000 {
        let text = "x".repeat(if cache == 7 { 5_000_000 } else { 5000 });
        let text = heap.string(&text);
        let entry = heap.record("Entry", &[("text", text)]);
        heap.variable(&format!("cache{cache}"), entry);
    }
    heap.coverage(|coverage| coverage.edges = edges);
    let retained = true;
    let options = Options {
        retained,
        ..Options::default()
    };
    weigh(&heap.build(), source(), &options)
}

#[test]
fn a_small_object_that_keeps_much_alive_is_listed() {
    let weighing = caches(Presence::Present);
    let holdings = weighing.holdings.expect("a new weighing has them");
    let cache = holdings.places.iter().find(|place| place.holder == "cache7");
    let cache = cache.expect("it is listed, small as it is");
    let text = holdings.places.iter().find(|place| place.holder == "Entry.text");
    let text = text.expect("most bytes stand there");
    assert!(
        cache.bytes < 100 && cache.bytes as f64 <= 0.0001 * text.bytes as f64,
        "{cache:?}"
    );
    assert!(
        cache
            .retained
            .is_some_and(|bytes| (5_000_000..5_100_000).contains(&bytes)),
        "{cache:?}"
    );
    assert_eq!(text.retained, Some(text.bytes));
    assert!(weighing.not_measured.iter().all(|blind| blind.rule != "held by"));
}

#[test]
fn without_references_it_is_said_that_nothing_is_known_of_what_is_kept() {
    let weighing = caches(Presence::Absent);
    let holdings = weighing.holdings.expect("a new weighing has them");
    assert!(holdings.places.iter().all(|place| place.retained.is_none()));
    assert!(weighing.not_measured.iter().any(|blind| blind.rule == "held by"));
}
