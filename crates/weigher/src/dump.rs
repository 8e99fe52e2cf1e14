//! From a path to a weighing.

use std::path::Path;

use deadweight_capture::{Capture, outside, read_capture};
use deadweight_formats::heapprofile::ProfileFacts;
use deadweight_formats::{BufferContents, Input, ReadError, Sidecar};
use deadweight_heap::{Churn, Totals};
use deadweight_rules::Options;
use deadweight_weighing::{NotMeasured, Source, Weighing};

use crate::budgets::containers;
use crate::{Seen, WeighError, Weigher, classes, curve, inputs, sources};

/// Stands for standard input.
const STANDARD_INPUT: &str = "-";

impl Weigher<'_> {
    /// Weighs a dump or a record of allocations, the capture in a directory, or the latest of several there; `-` is a dump that comes on standard input.
    /// `operations` counts for records that do not
    /// say how many they stand for; `program` is the file of the program that left a core file.
    ///
    /// # Errors
    /// When the input is not there, cannot be read, or is not what it must be.
    pub fn weigh(
        &self,
        path: &Path,
        program: Option<&Path>,
        operations: u64,
        options: &Options,
    ) -> Result<Weighing, WeighError> {
        self.weigh_seen(path, program, operations, options, &mut |_| ())
    }

    /// The same, and lets somebody look at its heap.
    ///
    /// # Errors
    /// When the input is not there, cannot be read, or is not what it must be.
    pub fn weigh_seen(
        &self,
        path: &Path,
        program: Option<&Path>,
        operations: u64,
        options: &Options,
        seen: Seen<'_>,
    ) -> Result<Weighing, WeighError> {
        let path = if path.as_os_str() == STANDARD_INPUT {
            Path::new("/dev/stdin")
        } else {
            path
        };
        let path = &*self.named_latest(path)?;
        if path.is_dir() {
            let mut capture = read_capture(path)?;
            if let Some(churn) = capture
                .record
                .churn
                .as_mut()
                .filter(|churn| churn.operations == 0)
            {
                churn.operations = operations;
            }
            return self.weigh_capture(&capture, options, seen);
        }
        if inputs::stored(path).is_ok_and(|weighing| weighing.is_some()) {
            return Err(WeighError::Weighed {
                path: path.to_owned(),
            });
        }
        let facts = ProfileFacts {
            operations,
            root: here(),
            ..ProfileFacts::default()
        };
        let sidecar = Sidecar {
            program: program.map(Path::to_owned),
            root: here(),
            containers: containers()?,
            ..Sidecar::default()
        };
        let mut weighing = self.weigh_file(path, &sidecar, &facts, options, seen)?;
        weighing.curve = curve::beside(path)?;
        Ok(weighing)
    }

    /// Weighs a running process from outside.
    ///
    /// # Errors
    /// When the input is not there, cannot be read, or is not what it must be.
    pub fn weigh_process(&self, pid: u32, options: &Options) -> Result<Weighing, WeighError> {
        let wait = self.watch.wait(format!("copying the memory of process {pid}"));
        let picture = outside::picture(pid)?;
        drop(wait);
        let program = &picture.name;
        self.watch.stood_still(format_args!(
            "process {pid} stood still for {:.0} ms",
            picture.pause.as_secs_f64() * 1e3
        ));
        let mut weighing = self
            .weigh_file(
                &picture.path(),
                &Sidecar::default(),
                &ProfileFacts::default(),
                options,
                &mut |_| (),
            )
            .map_err(|error| {
                // The picture is gone when this is read.
                match error {
                    WeighError::Dump(ReadError::NotVisible { why, .. }) => {
                        WeighError::NotVisible { pid, why }
                    }
                    WeighError::Dump(source) => WeighError::Picture { pid, source },
                    other => other,
                }
            })?;
        weighing.source.path = format!("{program}, process {pid}");
        Ok(weighing)
    }

    /// Weighs a capture with all that was recorded beside its snapshot: what was held, what was made, or both.
    ///
    /// # Errors
    /// When the input is not there, cannot be read, or is not what it must be.
    pub fn weigh_capture(
        &self,
        capture: &Capture,
        options: &Options,
        seen: Seen<'_>,
    ) -> Result<Weighing, WeighError> {
        capture.verify_sidecar()?;
        let facts = profile_facts(capture);
        let churned = match capture.churn_path() {
            Some(path) => Some(self.weigh_file(&path, &Sidecar::default(), &facts, options, &mut |_| ())?),
            None => None,
        };
        let Some(snapshot) = capture.snapshot_path() else {
            return churned.ok_or_else(|| {
                let why = capture.record.no_snapshot.as_deref();
                WeighError::NoSnapshot {
                    path: capture.directory.clone(),
                    why: why.unwrap_or("it was made with --no-snapshot").to_owned(),
                }
            });
        };
        let streamed = capture
            .record
            .snapshot
            .as_ref()
            .is_some_and(|snapshot| snapshot.streamed);
        if streamed && !snapshot.exists() {
            return Err(WeighError::InMemory {
                path: capture.directory.clone(),
            });
        }
        let mut weighing = self.weigh_file(&snapshot, &sidecar(capture)?, &facts, options, seen)?;
        weighing.curve = curve::of_capture(capture)?;
        if let Some(of_churn) = churned {
            weighing.churned = of_churn.churned;
            weighing.not_measured.extend(of_churn.not_measured);
            let was_kept = facts.collected == Some(false);
            // A record that was cut is no whole capture; one without what was collected is whole, and says less.
            if let Some(why) = of_churn.partial.clone().filter(|_| !was_kept) {
                weighing.partial.get_or_insert(why);
            } else if let Some(why) = of_churn.partial {
                weighing.not_measured.push(NotMeasured {
                    rule: "T".to_owned(),
                    why,
                    how: "record with Node.js 20 or later".to_owned(),
                });
            }
        }
        Ok(weighing)
    }

    /// A record of allocations, with the antipatterns found in the source that is at hand.
    ///
    /// # Errors
    /// When the input is not there, cannot be read, or is not what it must be.
    pub fn churn(&self, path: &Path) -> Result<Churn, WeighError> {
        let path = &*self.named_latest(path)?;
        let (path, facts) = if path.is_dir() {
            let capture = read_capture(path)?;
            let file = capture.churn_path().ok_or_else(|| WeighError::NoChurn {
                path: path.to_owned(),
            })?;
            (file, profile_facts(&capture))
        } else {
            let facts = ProfileFacts {
                root: here(),
                ..ProfileFacts::default()
            };
            (path.to_owned(), facts)
        };
        match deadweight_formats::open_any(&path, &Sidecar::default(), &facts)? {
            Input::Churned(record) => Ok(record.churn),
            Input::Held(dump) => Err(WeighError::NotChurn {
                path,
                format: dump.format.to_owned(),
            }),
        }
    }

    fn weigh_file(
        &self,
        path: &Path,
        sidecar: &Sidecar,
        facts: &ProfileFacts,
        options: &Options,
        seen: Seen<'_>,
    ) -> Result<Weighing, WeighError> {
        let stored = std::fs::metadata(path).map_or(0, |file| file.len());
        let _work = self.watch.work(path.display().to_string(), stored);
        let options = &self.watched(options);
        let input = deadweight_formats::open_any(path, sidecar, facts)?;
        let source = |stored_bytes, format: &str| Source {
            path: path.to_string_lossy().into_owned(),
            bytes: stored_bytes,
            format: format.to_owned(),
        };
        let weighing = match input {
            Input::Held(dump) => {
                let source = source(dump.source.stored_bytes, dump.format);
                let mut weighing = deadweight_rules::weigh(&dump.heap, source, options);
                seen(&dump.heap);
                classes::place(&mut weighing, Path::new(&facts.root), self.may_read);
                sources::show(&mut weighing, &facts.root, self.may_read);
                // The rules read texts in the file.
                dump.source.check()?;
                if self.ends {
                    // Taking a large heap apart piece by piece costs more than the rest of the program; the system does it at
                    // once.
                    std::mem::forget(dump);
                }
                weighing
            }
            Input::Churned(mut record) => {
                if record.churn.operations == 0 {
                    record.churn.operations = facts.operations;
                }
                deadweight_idioms::annotate(&mut record.churn, self.may_read);
                let source = source(record.source.stored_bytes, record.format);
                deadweight_rules::weigh_churn(&record.churn, source, options)
            }
        };
        Ok(self.shown(weighing))
    }
}

/// The working directory, to which paths are shown relatively.
fn here() -> String {
    std::env::current_dir()
        .map(|path| path.to_string_lossy().into_owned())
        .unwrap_or_default()
}

/// The directory in which the program ran.
fn root(capture: &Capture) -> String {
    let cwd = capture.record.process.cwd.as_ref();
    cwd.map_or_else(here, |cwd| cwd.to_string_lossy().into_owned())
}

fn profile_facts(capture: &Capture) -> ProfileFacts {
    let record = &capture.record;
    let churn = record.churn.as_ref();
    ProfileFacts {
        every_bytes: churn.and_then(|churn| churn.every_bytes),
        operations: churn.map_or(0, |churn| churn.operations),
        version: record.runtime.version.clone(),
        root: root(capture),
        totals: totals(capture),
        collected: churn.and_then(|churn| churn.collected),
    }
}

fn totals(capture: &Capture) -> Totals {
    let process = &capture.record.process;
    // What is resident belongs to all threads of the process.
    let of_process = |bytes: Option<u64>| bytes.filter(|_| process.thread == 0);
    Totals {
        heap_used: Some(process.heap_used),
        heap_asked: None,
        heap_total: Some(process.heap_total),
        external: Some(process.external),
        rss: of_process(Some(process.rss)),
        rss_base: of_process(process.rss_base),
        rss_peak: of_process(process.rss_peak),
        heap_peak: None,
        in_use_before: process.in_use_before,
        other_heaps: of_process(process.workers),
    }
}

fn sidecar(capture: &Capture) -> Result<Sidecar, WeighError> {
    let record = &capture.record;
    let rows = capture.buffer_rows()?.unwrap_or_default();
    Ok(Sidecar {
        bytes: record.snapshot.as_ref().and_then(|snapshot| snapshot.bytes),
        is_live: record.jvm.as_ref().is_some_and(|jvm| jvm.histogram.is_some()),
        totals: totals(capture),
        version: record.runtime.version.clone(),
        runtime: record.runtime.name.clone(),
        string_limit: record.snapshot.as_ref().map(|snapshot| snapshot.string_limit),
        buffers_complete: record.buffers.as_ref().is_some_and(|buffers| buffers.complete),
        buffers: BufferContents::by_index(&rows),
        tables: capture.table_counts()?.unwrap_or_default(),
        arrays: capture.array_counts()?.unwrap_or_default(),
        views: capture.view_bytes()?.unwrap_or_default(),
        moved: record.views.as_ref().and_then(|views| views.moved_bytes),
        texts: capture.text_lengths()?.unwrap_or_default(),
        equal: capture.equal_texts()?.unwrap_or_default(),
        program: None,
        root: root(capture),
        ruby: capture.ruby_contents()?,
        containers: containers()?,
    })
}
