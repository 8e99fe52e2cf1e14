//! Where a report goes, and how it looks there.

use std::io::{self, IsTerminal, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::{env, fs};

use anyhow::Context;
use deadweight_report::{Html, Json, Report, Terminal, WriteError};
use deadweight_rules::{Options, rulebook};
use deadweight_weighing::{Weighing, harmless};

use crate::arguments::{Color, Format, Look, Show};
use crate::progress;

/// Columns of a page that is no terminal.
const PAGE: usize = 100;

/// The standard stream a report goes to when no file is named.
#[derive(Clone, Copy, Debug)]
pub enum Stream {
    /// Standard output.
    Out,
    /// Standard error: when standard output is a program's own.
    Error,
}

/// What the rules are given by the arguments.
pub fn options(show: &Show) -> Options {
    let options = if show.all {
        Options::all()
    } else {
        Options::default()
    };
    Options {
        retained: show.retained,
        paths: show.reached,
        ..options
    }
}

/// Writes weighings as the arguments say.
pub fn write(weighings: &[Weighing], show: &Show, stream: Stream) -> anyhow::Result<()> {
    let mut bytes = Vec::new();
    match show.format {
        Format::Html => html().write_all(weighings, &mut bytes)?,
        Format::Json | Format::Terminal => {
            let report = report(show, stream);
            for (i, weighing) in weighings.iter().enumerate() {
                if i > 0 && show.format == Format::Terminal {
                    bytes.push(b'\n');
                }
                report.write(weighing, &mut bytes)?;
            }
        }
    }
    match (&show.output, stream) {
        (Some(path), _) => write_file(path, &bytes),
        (None, Stream::Out) => flush(&mut io::stdout().lock(), &bytes),
        // It would stand among what a program says.
        (None, Stream::Error) if progress::is_quiet() => Ok(()),
        (None, Stream::Error) => flush(&mut io::stderr().lock(), &bytes),
    }
}

/// Writes a finished report to standard output or to a file.
pub fn deliver(bytes: &[u8], output: Option<&Path>) -> anyhow::Result<()> {
    match output {
        Some(path) => write_file(path, bytes),
        None => flush(&mut io::stdout().lock(), bytes),
    }
}

/// Writes a file whole or not at all, readable by its owner alone: reports hold what dumps hold.
pub fn write_file(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    write_whole(path, bytes, 0o600)
}

/// Writes a file whole or not at all, for everybody who works on a program: it holds figures and names of places.
pub fn write_shared(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    write_whole(path, bytes, 0o644)
}

fn write_whole(path: &Path, bytes: &[u8], mode: u32) -> anyhow::Result<()> {
    let write = || match destination(path)? {
        Destination::File(path) => replace(&path, bytes, mode),
        Destination::Output => {
            let mut out = io::stdout().lock();
            out.write_all(bytes)?;
            out.flush()
        }
        Destination::Open(path) => {
            let mut file = fs::OpenOptions::new().write(true).open(path)?;
            file.write_all(bytes)?;
            file.flush()
        }
    };
    write().with_context(|| format!("{} could not be written", path.display()))
}

/// Puts a whole file in the place of another one.
fn replace(path: &Path, bytes: &[u8], mode: u32) -> io::Result<()> {
    let directory = path
        .parent()
        .filter(|parent| !parent.as_os_str().is_empty())
        .unwrap_or(Path::new("."));
    let mut builder = tempfile::Builder::new();
    builder.permissions(fs::Permissions::from_mode(mode));
    let mut file = builder.tempfile_in(directory)?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    file.persist(path)?;
    Ok(())
}

/// What a path leads to.
enum Destination {
    /// A file, or none yet: it is replaced whole, by the name it has at the end of all links.
    File(PathBuf),
    /// A device, a pipe, or a file that a process has open: it is written through.
    Open(PathBuf),
    /// This process's output, which goes on where it is.
    Output,
}

/// The names of this process's output.
const OUTPUT: [&str; 3] = ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"];

/// No more links are followed; the system follows no more, either.
const MOST_LINKS: usize = 40;

/// Follows the links of a path.
fn destination(path: &Path) -> io::Result<Destination> {
    if OUTPUT.iter().any(|output| path == Path::new(output)) {
        return Ok(Destination::Output);
    }
    if fs::metadata(path).is_ok_and(|facts| !facts.is_file()) {
        return Ok(Destination::Open(path.to_owned()));
    }
    let mut target = path.to_owned();
    for _ in 0..MOST_LINKS {
        let Ok(next) = fs::read_link(&target) else {
            return Ok(Destination::File(target));
        };
        // `/dev/stdout` leads here: what the shell has opened must stay the file that it is.
        if target.starts_with("/proc") {
            return Ok(Destination::Open(path.to_owned()));
        }
        let folder = target.parent().unwrap_or(Path::new("/"));
        // `/dev/fd` is itself a link.
        let folder = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
        target = folder.join(next);
        if let (Some(folder), Some(name)) = (target.parent(), target.file_name())
            && let Ok(folder) = folder.canonicalize()
        {
            target = folder.join(name);
        }
    }
    Err(io::Error::other("it is a link that leads to itself"))
}

fn flush(out: &mut dyn Write, bytes: &[u8]) -> anyhow::Result<()> {
    let written = out.write_all(bytes).and_then(|()| out.flush());
    written.context("the report could not be written")
}

/// The HTML page, which quotes the rules.
pub fn html() -> Html<'static> {
    Html { rules: rulebook() }
}

fn report(show: &Show, stream: Stream) -> Box<dyn Report> {
    match show.format {
        Format::Json => Box::new(Json),
        Format::Html => Box::new(html()),
        Format::Terminal => {
            let mut terminal = Terminal::new(look(&show.look, stream, show.output.is_some()));
            if show.all {
                terminal.limit = None;
            }
            terminal.paths = show.reached;
            Box::new(terminal)
        }
    }
}

/// How text looks on a stream, or in a file.
pub fn look(look: &Look, stream: Stream, to_file: bool) -> deadweight_report::Look {
    let on_terminal = !to_file
        && match stream {
            Stream::Out => io::stdout().is_terminal(),
            Stream::Error => io::stderr().is_terminal(),
        };
    let wanted = env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
    let colour = match look.color {
        Color::Auto => on_terminal && wanted,
        Color::Always => true,
        Color::Never => false,
    };
    deadweight_report::Look {
        width: width(stream, on_terminal),
        colour,
    }
}

fn width(stream: Stream, on_terminal: bool) -> usize {
    let columns = env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    let size = || match stream {
        Stream::Out => terminal_size::terminal_size_of(io::stdout()),
        Stream::Error => terminal_size::terminal_size_of(io::stderr()),
    };
    let of_terminal = || {
        size()
            .filter(|_| on_terminal)
            .map(|(width, _)| usize::from(width.0))
    };
    columns.or_else(of_terminal).unwrap_or(PAGE)
}

/// An error and its causes, as far as they say something new. Paths and texts in it may come from anybody.
pub fn describe(error: &anyhow::Error) -> String {
    let message = error.chain().fold(String::new(), |message, cause| {
        let cause = cause.to_string();
        if message.is_empty() {
            cause
        } else if message.ends_with(&cause) {
            message
        } else {
            format!("{message}: {cause}")
        }
    });
    harmless(&message)
}

/// Whether an error only says that nobody reads any more: `deadweight weigh … | head` is no failure.
pub fn reader_has_gone(error: &anyhow::Error) -> bool {
    let broken = |error: &io::Error| error.kind() == io::ErrorKind::BrokenPipe;
    error.chain().any(|cause| {
        cause.downcast_ref::<io::Error>().is_some_and(broken)
            || matches!(cause.downcast_ref::<WriteError>(), Some(WriteError::Output(error)) if broken(error))
    })
}
