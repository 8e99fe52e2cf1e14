//! Walks over the whole graph, and the search for node sizes.

use std::hint::black_box;
use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use deadweight_allocators::by_name;
use deadweight_bench::{dumps, read};
use deadweight_heap::nodes::{Form, Nodes};
use deadweight_heap::{Dominators, Holders};
use deadweight_rules::sizes::curve;

fn graph(criterion: &mut Criterion) {
    for (format, path) in dumps() {
        let heap = read(&path).heap;
        let mut group = criterion.benchmark_group(format!("graph/{format}"));
        group.sample_size(20).measurement_time(Duration::from_secs(2));
        group.throughput(Throughput::Elements(heap.edges.len() as u64));
        group.bench_function("dominators", |bench| {
            bench.iter_with_large_drop(|| Dominators::new(heap.objects.len(), black_box(&heap.edges)));
        });
        group.bench_function("holders", |bench| {
            bench.iter_with_large_drop(|| Holders::new(black_box(&heap)).group(|_| true));
        });
    }
}

/// A thousand different counts of used slots: the search takes the square of them.
fn sizes(criterion: &mut Criterion) {
    let used: Vec<u64> = (0..=1000).map(|slots| 1 + slots * 7919 % 1000).collect();
    let allocator = by_name("glibc").expect("its model is there");
    let nodes = Nodes {
        used: &used,
        slot_bytes: 8,
        now: Form::inline(32),
        then: Form::inline(32),
    };
    criterion.bench_function("sizes of nodes", |bench| {
        bench.iter_with_large_drop(|| curve(black_box(&nodes), allocator.as_ref()));
    });
}

criterion_group!(benches, graph, sizes);
criterion_main!(benches);
