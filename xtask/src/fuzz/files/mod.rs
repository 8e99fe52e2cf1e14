//! Whole commands over broken files and folders: `cargo xtask fuzz files`.
//!
//! The other targets try readers in one process. This one changes dumps, captures with what stands beside them, and
//! weighings, and runs `deadweight` over each as a user would: no exit but 0, 1 and 2, memory within the bound, nothing cut
//! that passes for whole.

mod change;
mod judge;
mod seeds;

use std::fs;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::thread;
use std::time::Instant;

use anyhow::ensure;
use fastrand::Rng;

use deadweight_tools::workspace;

use super::Fuzz;

use self::change::{Change, Harm, Stand, change};
use self::judge::{Bench, Verb};
use self::seeds::Seed;

/// Nobody reads more.
const MOST_FOUND: usize = 40;

/// How often each exit code was seen.
#[derive(Debug, Default)]
struct Seen {
    codes: [AtomicU64; 3],
    most: AtomicU64,
    found: Mutex<Vec<String>>,
}

/// Changes `fuzz.count` files and folders and runs commands on them. The same seed gives the same changes. Returns false
/// when a command did what it must not do.
///
/// # Errors
/// When the seeds cannot be made, or a seed as it is does not pass.
pub fn run(fuzz: &Fuzz) -> anyhow::Result<bool> {
    let &Fuzz { count, seed, .. } = fuzz;
    let deadweight = workspace::build_deadweight(fuzz.profile)?;
    let home = workspace::target().join("fuzz").join("files");
    fs::create_dir_all(&home)?;
    let seeds = seeds::all(&deadweight, &home)?;
    unchanged(&seeds, &deadweight, &home)?;
    let begun = Instant::now();
    let (next, seen) = (AtomicU64::new(0), Seen::default());
    let workers = thread::available_parallelism().map_or(1, usize::from);
    let work = |worker: usize| {
        let directory = home.join(format!("worker-{worker}"));
        fs::create_dir_all(&directory)?;
        let bench = Bench {
            deadweight: &deadweight,
            directory,
        };
        loop {
            let number = next.fetch_add(1, Relaxed);
            if number >= count || seen.is_full() {
                return anyhow::Ok(());
            }
            attempt(&seeds, &bench, seed, number, &seen)?;
        }
    };
    thread::scope(|scope| {
        let work = &work;
        let started: Vec<_> = (0..workers)
            .map(|worker| scope.spawn(move || work(worker)))
            .collect();
        started.into_iter().try_for_each(|worker| {
            worker
                .join()
                .unwrap_or_else(|_| anyhow::bail!("a worker panicked"))
        })
    })?;
    let found = seen.found.into_inner().unwrap_or_default();
    let [fine, broken, refused] = seen.codes.map(AtomicU64::into_inner);
    println!(
        "files: {} tried in {:.0} s: {fine} taken, {broken} over a budget, {refused} refused; at most {:.1} MB of memory; \
         {} at fault",
        fine + broken + refused + found.len() as u64,
        begun.elapsed().as_secs_f64(),
        seen.most.into_inner() as f64 / 1e6,
        found.len()
    );
    for fault in &found {
        println!("  {fault}");
    }
    Ok(found.is_empty())
}

impl Seen {
    fn is_full(&self) -> bool {
        self.found.lock().is_ok_and(|found| found.len() >= MOST_FOUND)
    }
}

fn attempt(seeds: &[Seed], bench: &Bench<'_>, seed: u64, number: u64, seen: &Seen) -> anyhow::Result<()> {
    let mut rng = Rng::with_seed(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(number));
    let subject = &seeds[rng.usize(..seeds.len())];
    let change = change(subject, &mut rng);
    let verb = Verb::pick(subject.kind, &mut rng);
    match bench.judge(subject, &change, verb)? {
        Ok(outcome) => {
            seen.codes[outcome.code as usize].fetch_add(1, Relaxed);
            seen.most.fetch_max(outcome.most, Relaxed);
        }
        Err(fault) => {
            let fault: String = fault.chars().take(300).collect();
            let line = format!(
                "number {number}, {verb:?} of {}, {}: {fault}",
                subject.name, change.note
            );
            if let Ok(mut found) = seen.found.lock() {
                found.push(line);
            }
        }
    }
    Ok(())
}

/// Each seed as it is must pass, or what its changes give says nothing.
fn unchanged(seeds: &[Seed], deadweight: &Path, home: &Path) -> anyhow::Result<()> {
    let bench = Bench {
        deadweight,
        directory: home.join("unchanged"),
    };
    fs::create_dir_all(&bench.directory)?;
    for seed in seeds {
        let whole = Change {
            file: 0,
            bytes: seed.files[0].1.clone(),
            stand: Stand::Bytes,
            harm: Harm::Altered,
            has_list: true,
            note: "as it is".to_owned(),
        };
        let outcome = bench.judge(seed, &whole, Verb::Check)?;
        ensure!(
            matches!(outcome, Ok(outcome) if outcome.code == 0),
            "{} does not pass as it is: {outcome:?}",
            seed.name
        );
    }
    Ok(())
}
