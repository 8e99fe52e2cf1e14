//! From bytes to a heap, for each format.

use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use deadweight_bench::{dumps, read};

fn reading(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("reading");
    group.sample_size(20).measurement_time(Duration::from_secs(4));
    for (format, path) in dumps() {
        let bytes = path.metadata().map_or(0, |file| file.len());
        group.throughput(Throughput::Bytes(bytes));
        group.bench_function(format, |bench| bench.iter_with_large_drop(|| read(&path)));
    }
}

criterion_group!(benches, reading);
criterion_main!(benches);
