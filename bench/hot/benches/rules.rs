//! Each rule on each heap that it has something to look at in, and a whole weighing.

use std::hint::black_box;
use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use deadweight_bench::{dumps, read};
use deadweight_rules::{Options, all, weigh};
use deadweight_weighing::Source;

fn rules(criterion: &mut Criterion) {
    for (format, path) in dumps() {
        let dump = read(&path);
        let mut group = criterion.benchmark_group(format!("rules/{format}"));
        group.sample_size(20).measurement_time(Duration::from_secs(2));
        group.throughput(Throughput::Elements(dump.heap.objects.len() as u64));
        for rule in all() {
            group.bench_function(rule.code().to_string(), |bench| {
                bench.iter_with_large_drop(|| rule.look(black_box(&dump.heap)));
            });
        }
        group.bench_function("all of a weighing", |bench| {
            bench.iter_with_large_drop(|| {
                let source = Source {
                    path: String::new(),
                    bytes: 0,
                    format: format.to_owned(),
                };
                weigh(black_box(&dump.heap), source, &Options::default())
            });
        });
    }
}

criterion_group!(benches, rules);
criterion_main!(benches);
