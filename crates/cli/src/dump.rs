//! From a path to a weighing.

use std::path::Path;

use anyhow::{Context, anyhow};
use deadweight_capture::{BufferRow, Capture, outside, read_capture};
use deadweight_formats::{Beside, BufferContents, ReadError, RubyFacts, RubyGroup};
use deadweight_heap::Totals;
use deadweight_rules::weighing::Source;
use deadweight_rules::{Options, Weighing};

use crate::{progress, redact};

/// Weighs a dump, or the capture in a directory. `program` is the file of the program that left a core file.
pub fn weigh(path: &Path, program: Option<&Path>, options: &Options) -> anyhow::Result<Weighing> {
    if path.is_dir() {
        return weigh_capture(&read_capture(path)?, options);
    }
    let beside = Beside {
        program: program.map(Path::to_owned),
        ..Beside::default()
    };
    weigh_file(path, &beside, options)
}

/// Weighs a running process from outside.
pub fn weigh_process(pid: u32, options: &Options) -> anyhow::Result<Weighing> {
    let spinner = progress::spinner(format!("copying the memory of process {pid}"));
    let picture = outside::picture(pid)?;
    spinner.finish_and_clear();
    let program = picture.program.file_name().unwrap_or_default().to_string_lossy();
    eprintln!(
        "deadweight: process {pid} stood still for {:.0} ms",
        picture.pause.as_secs_f64() * 1e3
    );
    let mut weighing = weigh_file(picture.path(), &Beside::default(), options).map_err(|error| {
        // The picture is gone when this is read.
        match error.downcast::<ReadError>() {
            Ok(ReadError::NotVisible { why, .. }) => anyhow!("process {pid}: nothing to weigh: {why}"),
            Ok(other) => anyhow::Error::from(other).context(format!("the picture of process {pid}")),
            Err(error) => error,
        }
    })?;
    weighing.source.path = format!("{program}, process {pid}");
    Ok(weighing)
}

/// Weighs a capture with all that was recorded beside its snapshot.
pub fn weigh_capture(capture: &Capture, options: &Options) -> anyhow::Result<Weighing> {
    let snapshot = capture.snapshot_path().with_context(|| {
        let reason = capture
            .record
            .no_snapshot
            .as_deref()
            .unwrap_or("it was made with --no-snapshot");
        format!(
            "{}: the capture has no snapshot: {reason}",
            capture.directory.display()
        )
    })?;
    weigh_file(&snapshot, &beside(capture)?, options)
}

fn weigh_file(path: &Path, beside: &Beside, options: &Options) -> anyhow::Result<Weighing> {
    let spinner = progress::spinner(format!("weighing {}", path.display()));
    let dump = deadweight_formats::open(path, beside)?;
    let source = Source {
        path: path.to_string_lossy().into_owned(),
        bytes: dump.stored_bytes,
        format: dump.format.to_owned(),
    };
    let weighing = deadweight_rules::weigh(&dump.heap, source, options);
    spinner.finish_and_clear();
    // Taking a large heap apart piece by piece costs more than the rest of the program; the system does it at once.
    std::mem::forget(dump);
    Ok(redact::apply(weighing))
}

fn beside(capture: &Capture) -> anyhow::Result<Beside> {
    let record = &capture.record;
    let process = &record.process;
    let rows = capture.buffer_rows()?.unwrap_or_default();
    Ok(Beside {
        totals: Totals {
            heap_used: Some(process.heap_used),
            heap_total: Some(process.heap_total),
            external: Some(process.external),
            rss: Some(process.rss),
        },
        version: record.runtime.version.clone(),
        runtime: record.runtime.name.clone(),
        string_limit: record.snapshot.as_ref().map(|snapshot| snapshot.string_limit),
        buffers_complete: record.buffers.as_ref().is_some_and(|buffers| buffers.complete),
        buffers: contents(&rows),
        tables: capture.table_counts()?.unwrap_or_default(),
        arrays: capture.array_counts()?.unwrap_or_default(),
        views: capture.view_bytes()?.unwrap_or_default(),
        moved: record.views.as_ref().and_then(|views| views.moved_bytes),
        texts: capture.text_lengths()?.unwrap_or_default(),
        program: None,
        ruby: ruby(capture)?,
    })
}

fn ruby(capture: &Capture) -> anyhow::Result<Option<RubyFacts>> {
    let contents = capture.ruby_contents()?;
    Ok(contents.map(|contents| RubyFacts {
        groups: contents
            .groups
            .into_iter()
            .map(|names| RubyGroup { names })
            .collect(),
        fields: contents.fields,
        strings: contents.strings,
        excerpts: contents.excerpts,
        before: contents.before,
    }))
}

/// Rows by their index; a buffer the probe did not reach stays without contents.
fn contents(rows: &[BufferRow]) -> Vec<BufferContents> {
    let count = rows.iter().map(|row| row.index as usize + 1).max().unwrap_or(0);
    let mut contents = vec![BufferContents::UNKNOWN; count.min(rows.len() * 2)];
    for row in rows {
        if let Some(buffer) = contents.get_mut(row.index as usize) {
            *buffer = BufferContents {
                bytes: row.bytes,
                zeros: row.zero_bytes,
                words_used: row.nonzero_words,
                hash: row.hash,
            };
        }
    }
    contents
}
