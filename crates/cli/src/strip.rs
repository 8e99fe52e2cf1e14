//! `deadweight strip`.

use std::fs;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, bail};
use deadweight_capture::read_capture;
use deadweight_formats::Stripper;
use deadweight_report::{Json, Redaction, Report};
use deadweight_rules::rulebook;
use deadweight_sidecar::{Process, RECORD};

use crate::arguments::Strip;
use crate::{inputs, output, progress};

/// Writes a dump or capture without its text, whole or not at all, readable by its owner alone.
pub fn strip(arguments: &Strip) -> anyhow::Result<ExitCode> {
    let (from, to) = (&*inputs::named_latest(&arguments.path)?, &arguments.output);
    if to.exists() {
        bail!("{}: there is something already", to.display());
    }
    let spinner = progress::spinner(format!("stripping {}", from.display()));
    if from.is_dir() {
        capture(from, to)?;
    } else {
        file(&mut Stripper::default(), from, to)?;
    }
    spinner.finish_and_clear();
    Ok(ExitCode::SUCCESS)
}

fn sidecar(path: &Path) -> &Path {
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    parent.unwrap_or(Path::new("."))
}

/// Writes a file of mode 0600, whole or not at all.
fn file(stripper: &mut Stripper, from: &Path, to: &Path) -> anyhow::Result<()> {
    let could_not = || format!("{} could not be written", to.display());
    // Temporary files are made with mode 0600.
    let mut written = tempfile::NamedTempFile::new_in(sidecar(to)).with_context(could_not)?;
    let mut buffered = BufWriter::with_capacity(1 << 20, written.as_file_mut());
    if let Some(weighing) = inputs::stored(from)? {
        Json.write(
            &Redaction::of_everything(rulebook()).weighing(weighing),
            &mut buffered,
        )
        .with_context(could_not)?;
    } else {
        stripper.dump(from, &mut buffered)?;
    }
    buffered.flush().with_context(could_not)?;
    drop(buffered);
    written.as_file().sync_all().with_context(could_not)?;
    written.persist(to).with_context(could_not)?;
    Ok(())
}

fn capture(from: &Path, to: &Path) -> anyhow::Result<()> {
    let could_not = || format!("{} could not be written", to.display());
    let capture = read_capture(from)?;
    let record = &capture.record;
    // Made with mode 0700, and gone again if anything fails.
    let folder = tempfile::tempdir_in(sidecar(to)).with_context(could_not)?;
    // One for all: what is called the same in two of the files still is.
    let mut stripper = Stripper::default();
    for dump in [capture.snapshot_path(), capture.churn_path()]
        .into_iter()
        .flatten()
    {
        let name = dump.file_name().with_context(could_not)?;
        file(&mut stripper, &dump, &folder.path().join(name))?;
    }
    if let Some((files, contents)) = record.ruby.as_ref().zip(capture.ruby_contents()?) {
        let names =
            |names: Vec<String>| -> Vec<String> { names.iter().map(|name| stripper.name(name)).collect() };
        let groups: Vec<Vec<String>> = contents.groups.into_iter().map(names).collect();
        let excerpts = contents.excerpts.iter();
        let excerpts: Vec<(u64, String)> = excerpts
            .map(|(hash, text)| (*hash, stripper.text(text)))
            .collect();
        if let Some(name) = &files.classes {
            let classes = contents.classes.iter();
            let classes: Vec<(String, String, u32)> = classes
                .map(|(class, file, line)| (stripper.name(class), stripper.name(file), *line))
                .collect();
            output::write_file(&folder.path().join(name), &serde_json::to_vec(&classes)?)?;
        }
        output::write_file(&folder.path().join(&files.groups), &serde_json::to_vec(&groups)?)?;
        output::write_file(
            &folder.path().join(&files.excerpts),
            &serde_json::to_vec(&excerpts)?,
        )?;
    }
    for name in record.files_without_text() {
        fs::copy(from.join(name), folder.path().join(name)).with_context(could_not)?;
    }
    let place = from.join(RECORD.name());
    let read = || fs::read(&place).with_context(|| place.display().to_string());
    let mut recorded: serde_json::Value = serde_json::from_slice(&read()?)?;
    if let Some(process) = recorded
        .get_mut("process")
        .and_then(|process| process.as_object_mut())
    {
        for name in Process::OF_THE_MACHINE {
            process.remove(name);
        }
    }
    if let (Some(dump), Some(snapshot)) = (capture.snapshot_path(), recorded.get_mut("snapshot")) {
        let name = dump.file_name().with_context(could_not)?;
        let bytes = folder.path().join(name).metadata().with_context(could_not)?.len();
        if let Some(noted) = snapshot.get_mut("bytes") {
            *noted = bytes.into();
        }
    }
    let mut text = serde_json::to_vec_pretty(&recorded)?;
    text.push(b'\n');
    output::write_file(&folder.path().join(RECORD.name()), &text)?;
    fs::rename(folder.path(), to).with_context(could_not)?;
    // The folder has its own name now.
    let _ = folder.keep();
    Ok(())
}
