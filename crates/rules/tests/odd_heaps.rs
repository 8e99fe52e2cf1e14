//! Whatever a reader hands over, every rule ends, and the books balance.

use deadweight_heap::{EdgeKind, Flags, Heap, HeapBuilder, Kind, NONE, Presence};
use deadweight_rules::{Options, weigh};
use deadweight_weighing::Source;
use proptest::prelude::*;

type Step = (u8, u8, u32, u32);

fn heap_of(steps: &[Step], numbers: bool) -> Heap {
    builder_of(steps, numbers).build()
}

fn builder_of(steps: &[Step], numbers: bool) -> HeapBuilder {
    let mut heap = HeapBuilder::new();
    if !numbers {
        heap.coverage(|coverage| coverage.numbers = Presence::Absent);
    }
    let null = heap.object(Kind::Runtime, "null", 0);
    let mut rows = vec![null];
    for &(what, much, a, b) in steps {
        let pick = |at: u32| rows[at as usize % rows.len()];
        let (first, second) = (pick(a), pick(b));
        for i in 0..u32::from(much) {
            let value = f64::from(i) * f64::from(b % 7) / 2.0;
            let id = match what % 14 {
                0 => heap.string(&format!("{}", u64::from(i) + u64::from(a) * 10_000_000)),
                1 => heap.string(&format!("65b2c3d4e5f60718{:08x}", a.wrapping_add(i))),
                2 => heap.number(value),
                3 => heap.date(value),
                4 => heap.record("A", &[("x", first), ("y", second)]),
                5 => {
                    let shape = heap.shape(2);
                    heap.record_with_shape("B", shape, &[("x", first), ("y", second)])
                }
                6 => heap.dictionary("", a % 64, &[("x", first), ("z", second)]),
                7 => heap.buffer(u64::from(a % 80), 0, 0),
                8 => {
                    let id = heap.object(Kind::Buffer, "View", u64::from(b % 100));
                    heap.buffer_fact(id, if b % 2 == 0 { NONE } else { first }, u64::from(a % 80));
                    heap.edge(id, EdgeKind::Internal, 0, first);
                    id
                }
                9 => heap.record_with_shape("C", first, &[("x", second)]),
                10 => heap.array(a % 50, &[first, second]),
                11 => heap.slice(first, "abc"),
                12 => {
                    // Edges to rows that are not there, names that no table has.
                    let id = heap.record("A", &[("x", second)]);
                    heap.edge(id, EdgeKind::Field, a, b % 4000);
                    id
                }
                _ => {
                    let part = heap.object(
                        Kind::ALL[b as usize % Kind::ALL.len()],
                        "piece",
                        u64::from(a % 999),
                    );
                    heap.part(first, part).flag(part, Flags(b as u8 & 0b1_1110));
                    part
                }
            };
            let holder = heap.record("Holder", &[("held", id)]);
            heap.variable("all", holder);
            rows.push(id);
        }
    }
    heap
}

fn source() -> Source {
    Source {
        path: "test".into(),
        bytes: 0,
        format: "test".into(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]
    #[test]
    fn rules_end_and_books_balance(
        steps in prop::collection::vec(any::<Step>(), 1..12),
        numbers in any::<bool>(),
    ) {
        let heap = heap_of(&steps, numbers);
        let weighing = weigh(&heap, source(), &Options::all());
        let held = &weighing.held;
        prop_assert_eq!(held.content + held.runtime + held.dead, held.bytes);
        let listed: u64 = weighing.findings.iter().filter(|f| !f.external).map(|f| f.saves).sum();
        prop_assert_eq!(listed, held.dead);
        let mut prints: Vec<_> = weighing.findings.iter().map(|f| f.fingerprint.as_str()).collect();
        prints.sort_unstable();
        prints.dedup();
        prop_assert_eq!(prints.len(), weighing.findings.len());
        prop_assert_eq!(weighing, weigh(&heap, source(), &Options::all()));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]
    #[test]
    fn nothing_is_found_in_what_no_fix_frees(
        steps in prop::collection::vec(any::<Step>(), 1..12),
        each in 1_u32..4,
    ) {
        let rows = heap_of(&steps, true).rows();
        let marked = |mark: fn(&mut HeapBuilder, u32)| {
            let mut heap = builder_of(&steps, true);
            rows.clone().step_by(each as usize).for_each(|row| mark(&mut heap, row));
            heap.build()
        };
        let shared = marked(|heap, row| { heap.shared(row); });
        let dead = marked(|heap, row| { heap.dead(row); });
        for heap in [&shared, &dead] {
            let weighing = weigh(heap, source(), &Options::all());
            let fixed = |row| heap.is_shared(row) || heap.is_dead(row);
            let can_go = |external: bool| -> u64 {
                let rows = heap.rows().filter(|&row| heap.objects.has(row, Flags::EXTERNAL) == external);
                rows.filter(|&row| !fixed(row)).map(|row| heap.bytes(row)).sum()
            };
            prop_assert!(weighing.held.dead <= can_go(false));
            prop_assert!(weighing.external.dead <= can_go(true));
            if each == 1 {
                prop_assert_eq!(weighing.findings.len() + weighing.options.len(), 0);
            }
        }
        let plain = heap_of(&steps, true);
        prop_assert_eq!(shared.held_bytes(), plain.held_bytes());
        prop_assert_eq!(dead.held_bytes() + dead.dead().bytes, plain.held_bytes());
        prop_assert_eq!(dead.external_bytes() + dead.dead().external, plain.external_bytes());
    }
}

/// Memory that other processes share keeps its bytes, whoever would be rid of the program's view on it.
#[test]
fn a_claim_on_a_shared_row_is_worth_nothing() {
    let weighed = |shared: bool| {
        let mut heap = HeapBuilder::new();
        let buffers: Vec<u32> = (0..20).map(|_| heap.buffer(2000, 2000, 0)).collect();
        for buffer in buffers {
            let record = heap.record("Holder", &[("bytes", buffer)]);
            heap.variable("all", record);
            if shared {
                // The backing stands before its view.
                heap.shared(buffer - 1);
            }
        }
        weigh(&heap.build(), source(), &Options::all())
    };
    let external = |weighing: &deadweight_weighing::Weighing| weighing.external.dead;
    assert!(external(&weighed(false)) > 30_000);
    let shared = weighed(true);
    assert_eq!(external(&shared), 0);
    assert!(shared.findings.iter().all(|finding| !finding.external));
}

#[test]
fn dates_become_numbers_before_numbers_become_offsets() {
    let mut heap = HeapBuilder::new();
    for i in 0..100 {
        let date = heap.date(1_700_000_000_000.0 + f64::from(i));
        let record = heap.record("M", &[("at", date)]);
        heap.variable("all", record);
    }
    let weighing = weigh(&heap.build(), source(), &Options::all());
    let saves = |bytes_each: u64| {
        let boxes = weighing.findings.iter().filter(|f| f.rule == "L03");
        boxes.filter(|f| f.saves == bytes_each * 100).count()
    };
    assert_eq!((saves(80), saves(16)), (1, 1));
}

#[test]
fn fields_whose_names_look_the_same_have_findings_of_their_own() {
    let mut heap = HeapBuilder::new();
    for i in 0..100 {
        let record = heap.record("M", &[]);
        for no_text in [5_000, 5_001] {
            let number = heap.number(f64::from(i));
            heap.edge(record, EdgeKind::Field, no_text, number);
        }
        heap.variable("all", record);
    }
    let weighing = weigh(&heap.build(), source(), &Options::all());
    let boxes = weighing.findings.iter().filter(|f| f.rule == "L03");
    let [first, second] = boxes.collect::<Vec<_>>()[..] else {
        panic!("{:#?}", weighing.findings);
    };
    assert_eq!(first.holder, second.holder);
    assert_ne!(first.fingerprint, second.fingerprint);
}
