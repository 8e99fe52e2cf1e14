//! A capture of a running Java virtual machine, which writes its dump itself when it is asked.

mod connection;
mod heap;
mod histogram;
mod performance;

use std::fs;
use std::io;
use std::path::Path;
use std::time::{Duration, Instant, SystemTime};

use deadweight_sidecar::{HISTOGRAM, HISTOGRAM_SCHEMA, HPROF, Histogram, RECORD, SCHEMA};
use serde_json::{Map, Value, json};

use super::crowd::share_of_a_core;
use super::exchange::Exchange;
use super::target::Target;
use super::{AttachError, AttachPlan, Attached, Estimate};
use crate::capture::read_capture;
use crate::process_files::arguments;
use crate::whole_file;
use connection::Connection;
use heap::HeapSize;

/// How long a machine stands still for each megabyte of its heap, in milliseconds, on a busy machine: a full collection, the
/// dump, another collection for the histogram.
const PAUSE_PER_MEGABYTE: u64 = 12;

/// What is asked of the machine beside its heap is answered at once, unless it collects garbage.
const PATIENCE: Duration = Duration::from_secs(60);

/// Options of the machine on which the layout of objects depends.
const FLAGS: [&str; 6] = [
    "UseCompressedOops",
    "UseCompressedClassPointers",
    "UseCompactObjectHeaders",
    "ObjectAlignmentInBytes",
    "CompactStrings",
    "UseStringDeduplication",
];

pub(super) fn capture(
    target: &Target,
    plan: &AttachPlan,
    mut before: impl FnMut(&Estimate),
) -> Result<Attached, AttachError> {
    connection::allow(target)?;
    let exchange = Exchange::with(target, &plan.directory, None)?;
    let properties = Properties::parse(&Connection::to(target)?.ask(&["properties"], PATIENCE)?);
    let heap = heap_size(target)?;
    let estimate = estimate(target, heap);
    before(&estimate);
    plan.allow(target.pid, &estimate)?;
    let flags = flags(target)?;
    let directory = exchange.make(&properties.program())?;
    let taken = fill(
        target,
        &exchange,
        &directory,
        estimate.pause + PATIENCE,
        &properties,
        &flags,
        heap,
    );
    let pause = taken.inspect_err(|_| exchange.forget(&directory))?;
    Ok(Attached {
        capture: read_capture(&exchange.fetch(&directory)?)?,
        pause,
    })
}

/// Has the dump written into the directory of a capture, and writes the rest beside it.
fn fill(
    target: &Target,
    exchange: &Exchange,
    directory: &Path,
    patience: Duration,
    properties: &Properties,
    flags: &Map<String, Value>,
    heap: Option<HeapSize>,
) -> Result<Duration, AttachError> {
    let start = Instant::now();
    let dump = directory.join(HPROF);
    let name = dump
        .to_str()
        .ok_or_else(|| failed(target, "the name of the directory is no text"))?;
    let said = Connection::to(target)?.ask(&["dumpheap", name, "-live"], patience)?;
    let dumped = start.elapsed();
    let here = exchange.seen_from_here(directory);
    let files = |source| AttachError::Files {
        path: here.clone(),
        source,
    };
    let bytes = match fs::metadata(here.join(HPROF)) {
        Ok(file) => file.len(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return Err(failed(target, said.lines().next().unwrap_or("it wrote no dump")));
        }
        Err(error) => return Err(files(error)),
    };
    let classes = histogram::parse(&Connection::to(target)?.ask(&["inspectheap", "-live"], patience)?);
    let pause = start.elapsed();
    let histogram = Histogram {
        schema: HISTOGRAM_SCHEMA.to_owned(),
        classes,
    };
    if histogram.classes.is_empty() {
        return Err(failed(target, "it counted no classes"));
    }
    write(&here.join(HISTOGRAM.name()), &histogram).map_err(files)?;
    let peak = Target::of(target.pid)?.bytes("VmHWM");
    let record = json!({
        "schema": SCHEMA,
        "runtime": properties.runtime(flags),
        "process": process(target, histogram.bytes(), heap),
        "snapshot": {
            "file": HPROF, "bytes": bytes, "string_limit": u32::MAX, "numeric_values": true,
            "seconds": dumped.as_secs_f64(),
        },
        "jvm": { "histogram": HISTOGRAM.name(), "flags": flags },
        "cost": { "seconds": pause.as_secs_f64(), "peak_rss": peak },
    });
    write(&here.join(RECORD.name()), &record).map_err(files)?;
    Ok(pause)
}

fn write(path: &Path, contents: &impl serde::Serialize) -> io::Result<()> {
    let mut text = serde_json::to_vec(contents)?;
    text.push(b'\n');
    whole_file::write(path, &text)
}

/// What a full collection and a dump cost: no more than what is resident is in the heap.
fn estimate(target: &Target, heap: Option<HeapSize>) -> Estimate {
    let heap = heap.map_or_else(|| target.bytes("VmRSS"), |heap| heap.used);
    let idle_pause = Duration::from_millis(heap.div_ceil(1_000_000) * PAUSE_PER_MEGABYTE);
    Estimate {
        heap,
        // The dump goes to the disk as it is written.
        memory: 0,
        available: None,
        idle_pause,
        pause: idle_pause.div_f64(share_of_a_core(target.pid)),
    }
}

/// Old machines know no such command.
fn heap_size(target: &Target) -> Result<Option<HeapSize>, AttachError> {
    match Connection::to(target)?.ask(&["jcmd", "GC.heap_info"], PATIENCE) {
        Err(AttachError::Refused { .. }) => Ok(None),
        said => Ok(heap::parse(&said?)),
    }
}

/// The options, as `-XX:+Name` or `-XX:Name=value`; the machine says of those it does not have that it has none.
fn flags(target: &Target) -> Result<Map<String, Value>, AttachError> {
    let mut flags = Map::new();
    for name in FLAGS {
        let said = match Connection::to(target)?.ask(&["printflag", name], PATIENCE) {
            Err(AttachError::Refused { .. }) => continue,
            other => other?,
        };
        let option = said.trim().strip_prefix("-XX:").unwrap_or_default();
        let value = match (option.split_once('='), option.chars().next()) {
            (Some((_, value)), _) => value,
            (None, Some('+')) => "true",
            (None, Some('-')) => "false",
            _ => continue,
        };
        flags.insert(name.to_owned(), json!(value));
    }
    Ok(flags)
}

fn process(target: &Target, held: u64, heap: Option<HeapSize>) -> Value {
    let command_line = fs::read(target.proc("cmdline")).unwrap_or_default();
    let argv: Vec<_> = arguments(&command_line).map(String::from_utf8_lossy).collect();
    let path = |name| fs::read_link(target.proc(name)).ok();
    json!({
        "pid": target.pid, "argv": argv, "exec_path": path("exe"), "cwd": path("cwd"),
        "reason": "attached", "time": humantime::format_rfc3339_millis(SystemTime::now()).to_string(),
        "heap_used": held, "heap_total": heap.map_or(held, |heap| heap.total), "external": 0,
        "rss": target.bytes("VmRSS"),
    })
}

fn failed(target: &Target, why: &str) -> AttachError {
    AttachError::Recorder {
        pid: target.pid,
        why: why.to_owned(),
    }
}

/// The system properties, as `java.util.Properties` writes them.
struct Properties(Vec<(String, String)>);

impl Properties {
    fn parse(text: &str) -> Self {
        let lines = text.lines().filter(|line| !line.starts_with('#'));
        let pairs = lines.filter_map(|line| line.split_once('='));
        Self(
            pairs
                .map(|(name, value)| (name.to_owned(), unescaped(value)))
                .collect(),
        )
    }

    fn get(&self, name: &str) -> &str {
        let found = self.0.iter().find(|(known, _)| known == name);
        found.map_or("", |(_, value)| value)
    }

    fn runtime(&self, flags: &Map<String, Value>) -> Value {
        json!({
            "name": "java",
            "version": self.get("java.version"),
            "engine": format!("{} {}", self.get("java.vm.name"), self.get("java.vm.version")),
            "arch": self.get("os.arch"),
            "word_bytes": if self.get("sun.arch.data.model") == "32" { 4 } else { 8 },
            "pointer_compression": flags.get("UseCompressedOops").is_some_and(|on| on == "true"),
        })
    }

    /// `com.shop.Main` is `Main`, `target/shop-1.0.jar` is `shop-1.0`.
    fn program(&self) -> String {
        let main = self.get("sun.java.command").split(' ').next().unwrap_or_default();
        let name = main.rsplit('/').next().unwrap_or_default();
        let name = match name.strip_suffix(".jar").or(name.strip_suffix(".java")) {
            Some(name) => name,
            None => name.rsplit('.').next().unwrap_or_default(),
        };
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
        let name: String = name
            .chars()
            .map(|c| if is_plain(c) { c } else { '_' })
            .take(80)
            .collect();
        match name.trim_start_matches('.') {
            "" => "java".to_owned(),
            name => name.to_owned(),
        }
    }
}

/// A value without the escapes that are of use here.
fn unescaped(value: &str) -> String {
    let mut out = String::new();
    let mut rest = value.chars();
    while let Some(c) = rest.next() {
        match c {
            '\\' => out.extend(rest.next()),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn properties_are_read_as_the_machine_writes_them() {
        let text = "#Wed Nov 25\njava.version=17.0.15\nsun.java.command=com.shop.Main --port\\=80\nos.arch=amd64\njava.home=C\\:\\\\x\n";
        let properties = Properties::parse(text);
        assert_eq!(properties.get("java.home"), "C:\\x");
        assert_eq!(properties.get("sun.java.command"), "com.shop.Main --port=80");
        for (command, name) in [
            ("com.shop.Main --port=80", "Main"),
            ("target/shop-1.0.jar", "shop-1.0"),
            ("shop/com.shop.Main", "Main"),
            ("Shop.java", "Shop"),
            ("", "java"),
        ] {
            let properties = Properties(vec![("sun.java.command".to_owned(), command.to_owned())]);
            assert_eq!(properties.program(), name);
        }
    }
}
