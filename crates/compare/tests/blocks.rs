//! Raw blocks of native programs that a fix moves, cuts or gives another number.

mod support;

use deadweight_compare::Proof;
use deadweight_compare::proof::Outcome;
use deadweight_compare::prove::{Options, prove};
use deadweight_heap::{HeapBuilder, Rounded};
use deadweight_weighing::Weighing;
use support::weighed_heap;

fn weighed(fill: impl FnOnce(&mut HeapBuilder)) -> Weighing {
    let mut heap = HeapBuilder::new();
    heap.allocator(Rounded { name: "test", to: 32 });
    fill(&mut heap);
    weighed_heap(&heap.build(), "blocks")
}

/// Blocks of so many bytes, all in use, each unlike all others.
fn full(heap: &mut HeapBuilder, site: &str, blocks: u64, bytes: usize) {
    for at in 0..blocks {
        let mut content = vec![0xA7; bytes];
        content[..8].copy_from_slice(&(0x9E37_79B9_7F4A_7C15_u64.wrapping_mul(at + 1)).to_le_bytes());
        heap.block(site, &content);
    }
}

fn proven(before: &Weighing, after: &Weighing) -> Proof {
    prove(before, after, &Options::default())
}

fn made(proof: &Proof) -> Vec<&str> {
    let made = proof.fixes.iter().filter(|fix| fix.outcome == Outcome::Mended);
    made.map(|fix| fix.rule.as_str()).collect()
}

#[test]
fn containers_that_are_cut_elsewhere_are_the_same_containers() {
    let before = weighed(|heap| {
        for at in 0..200_u8 {
            let mut content = vec![0; 512];
            content[..16].fill(at + 1);
            heap.block("Edge in Graph::reserve", &content);
        }
    });
    let after = weighed(|heap| {
        full(heap, "Edge in Graph::seal", 150, 24);
        full(heap, "Edge in Graph::connect", 49, 24);
    });
    let proof = proven(&before, &after);
    assert_eq!(made(&proof), ["C03"]);
    assert!(proof.error.unwrap() < 0.01, "{proof:#?}");
    assert!(proof.grew.is_empty(), "{:#?}", proof.grew);
    assert_eq!(proof.unexplained.sum(), 0);
}

#[test]
fn pieces_of_one_container_do_not_count_the_records() {
    let program = |chunks: u64| {
        weighed(|heap| {
            full(heap, "Entry in Table::insert", 300, 96);
            full(heap, "Event in Log::append", chunks, 1024);
        })
    };
    let proof = proven(&program(200), &program(140));
    let records = proof.records.as_ref().unwrap();
    assert_eq!((records.before, records.after), (300, 300));
    assert_eq!(proof.measured.sum(), 60 * 1024);
}

#[test]
fn texts_that_a_fix_merges_among_others_are_no_fewer_records() {
    let text = |at: u64| format!("a text of some length that is there more than once: {at}");
    let program = |copies: u64| {
        weighed(|heap| {
            for at in 0..copies {
                heap.block("Store::add", text(at % 40).as_bytes());
            }
            for at in 0..4000 {
                heap.block("Store::add", text(at + 40).as_bytes());
            }
            full(heap, "Store::index", 120, 32);
        })
    };
    let proof = proven(&program(1000), &program(40));
    assert_eq!(made(&proof), ["D02"], "{proof:#?}");
    let records = proof.records.as_ref().unwrap();
    assert_eq!((records.before, records.after), (120, 120));
    assert!(proof.error.unwrap() < 0.01, "{proof:#?}");
}

#[test]
fn blocks_that_are_gone_were_put_into_no_pool() {
    let before = weighed(|heap| full(heap, "node", 2000, 33));
    assert_eq!(before.options[0].rule, "A01");
    let gone = proven(&before, &weighed(|heap| full(heap, "other", 10, 64)));
    assert_eq!(made(&gone), Vec::<&str>::new());
    let pooled = proven(&before, &weighed(|heap| full(heap, "pool", 1, 2000 * 40)));
    assert_eq!(made(&pooled), ["A01"]);
}

#[test]
fn copies_that_stay_are_looked_for_where_they_went() {
    let text = |at: u64| format!("a text of some length that is there more than once: {at}");
    let before = weighed(|heap| {
        for at in 0..400 {
            heap.block("copy", text(at % 40).as_bytes());
        }
    });
    let after = weighed(|heap| {
        for at in 0..40 {
            heap.block("intern", text(at).as_bytes());
        }
        // What counts the references stands where the texts were.
        full(heap, "copy", 40, 16);
    });
    let proof = proven(&before, &after);
    assert_eq!(made(&proof), ["D02"]);
    assert!(proof.grew.is_empty(), "{:#?}", proof.grew);
    assert_eq!(proof.unexplained.sum(), 0);
}
