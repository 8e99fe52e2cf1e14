//! From lines to columns.

use deadweight_heap::churn::{
    Compiler, Frame, FrameId, Frames, Part, Row, Rows, Sampling, StackId, Stacks, Windows,
};
use deadweight_heap::{Churn, ChurnCoverage, Exact, Kind, Presence, Runtime, Totals, TypeId, Types};

use super::code::Code;
use super::crystal;
use super::lines::{End, FrameLine, Granularity, Header, KindName, Line, ReturnsName, RoleName, RowLine};
use super::returns::returns;
use super::{role, writes_logs};
use crate::error::Malformed;
use crate::ruby::as_asked;

/// The runtime whose compiler takes objects away.
const JAVA: &str = "java";

/// The version this reader knows.
const VERSION: u32 = 1;

pub(super) fn read(bytes: &[u8]) -> Result<Churn, Malformed> {
    let mut lines = Lines { bytes, at: 0 };
    let Some((offset, head)) = lines.next() else {
        return Err(Malformed::at(bytes, 0, "a record of allocations"));
    };
    let header: Header = parse(head, offset)?;
    if header.version != VERSION {
        return Err(Malformed::new(
            offset,
            format!("version {VERSION} of the record"),
            format!("version {}", header.version),
        ));
    }
    let mut reader = Reader::new(header, offset)?;
    let mut end = None;
    let mut partial = None;
    while let Some((offset, text)) = lines.next() {
        if text.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        if end.is_some() {
            return Err(Malformed::at(bytes, offset, "nothing after the line \"end\""));
        }
        // A recorder that is killed leaves half a line, and only as the last.
        let cut = !lines.ended_by_newline();
        match parse::<Line>(text, offset) {
            Ok(line) => end = reader.line(line, offset)?,
            Err(_) if cut => partial = Some(offset),
            Err(error) => return Err(error),
        }
    }
    if end.is_none() && partial.is_none() {
        partial = Some(bytes.len());
    }
    let partial = partial.map(|at| format!("the record ends at byte {at}, before its line \"end\""));
    let end = end.unwrap_or_default();
    let partial = partial.or_else(|| lost(&end));
    reader.finish(&end, partial, bytes.len())
}

/// What the recorder says it could not record.
fn lost(end: &End) -> Option<String> {
    match (end.lost_blocks, end.missed_collections) {
        (0, 0) => None,
        (0, missed) => Some(format!(
            "what died in {missed} collections could not be counted, as other threads were allocating"
        )),
        (lost, _) => Some(format!("the recorder had no memory for {lost} blocks")),
    }
}

/// Lines with where they begin.
pub(super) struct Lines<'b> {
    pub bytes: &'b [u8],
    pub at: usize,
}

impl<'b> Lines<'b> {
    pub fn next(&mut self) -> Option<(usize, &'b [u8])> {
        let offset = self.at;
        let rest = self.bytes.get(offset..).filter(|rest| !rest.is_empty())?;
        let length = memchr::memchr(b'\n', rest);
        self.at = offset + length.map_or(rest.len(), |length| length + 1);
        Some((offset, &rest[..length.unwrap_or(rest.len())]))
    }

    /// Whether the last line that was given ended with a line break.
    fn ended_by_newline(&self) -> bool {
        self.at.checked_sub(1).and_then(|last| self.bytes.get(last)) == Some(&b'\n')
    }
}

pub(super) fn parse<'b, T: serde::Deserialize<'b>>(text: &'b [u8], offset: usize) -> Result<T, Malformed> {
    serde_json::from_slice(text).map_err(|error| {
        let whole = error.to_string();
        let found = whole.split(" at line ").next().unwrap_or_default().to_owned();
        let column = error.column().saturating_sub(1).min(text.len());
        Malformed::new(offset + column, "a line of a record of allocations", found)
    })
}

struct Reader {
    root: String,
    granularity: Granularity,
    main_returned: bool,
    runtime: Runtime,
    sampling: Sampling,
    /// For each window of the record the one it is here: those in which nothing was made are none.
    windows: Vec<Option<u32>>,
    frames: Frames,
    code: Code,
    /// By the number the record gives them, outermost first: compiled code may stand for several functions. Equal ones
    /// are one.
    frame_ids: Vec<Vec<FrameId>>,
    stacks: Stacks,
    /// None for a stack all of whose frames are left out.
    stack_ids: Vec<Option<StackId>>,
    types: Types,
    /// With whether its objects are pieces of others.
    type_ids: Vec<(TypeId, Kind, bool)>,
    rows: Rows,
    bytes: u64,
    objects: u64,
}

impl Reader {
    fn new(header: Header, offset: usize) -> Result<Self, Malformed> {
        let mut windows = Vec::new();
        let sampling = match header.sampling {
            None => Sampling::Exact,
            Some(facts) => match (facts.every_bytes, facts.every_objects, facts.windows) {
                (_, _, Some(facts)) => {
                    let seen = facts
                        .seen
                        .iter()
                        .try_fold(0_u64, |all, seen| all.checked_add(*seen));
                    if seen.is_none_or(|seen| seen > facts.objects) || facts.objects >= 1 << 63 {
                        let found = format!("{:?} of {}", seen, facts.objects);
                        return Err(Malformed::new(
                            offset,
                            "no more objects seen than there were",
                            found,
                        ));
                    }
                    let mut count = 0..;
                    windows = facts
                        .seen
                        .iter()
                        .map(|&seen| (seen > 0).then(|| count.next()).flatten())
                        .collect();
                    let seen = facts.seen.into_iter().filter(|&seen| seen > 0).collect();
                    Sampling::Windows(Windows::new(facts.objects, seen))
                }
                (Some(every), ..) if every > 1 => Sampling::Bytes(every),
                (None, Some(every), _) if every > 1 => Sampling::Objects(every),
                _ => Sampling::Exact,
            },
        };
        Ok(Self {
            root: header.root,
            granularity: header.lines,
            main_returned: header.main_returned,
            runtime: Runtime {
                name: header.runtime.name,
                version: header.runtime.version,
                word_bytes: header.runtime.word_bytes.unwrap_or(8),
                allocator: header.runtime.allocator,
                recapture: "deadweight run --churn PROGRAM".to_owned(),
            },
            sampling,
            windows,
            code: Code::default(),
            frames: Frames::default(),
            frame_ids: Vec::new(),
            stacks: Stacks::default(),
            stack_ids: Vec::new(),
            types: Types::default(),
            type_ids: Vec::new(),
            rows: Rows::default(),
            bytes: 0,
            objects: 0,
        })
    }

    fn line(&mut self, line: Line, offset: usize) -> Result<Option<End>, Malformed> {
        if let Some(module) = line.module {
            self.code.map(module, offset)?;
        }
        if let Some(frame) = line.frame {
            let frames = match frame.address {
                Some(address) => self.code.frames(address, &self.root),
                None => vec![self.frame(frame)],
            };
            let ids = frames.into_iter().map(|frame| self.frames.add(frame));
            self.frame_ids.push(ids.collect());
        }
        if let Some((caller, frame)) = line.stack {
            let frames = pick(&self.frame_ids, frame, offset, "frame")?;
            let caller = caller.map(|caller| pick(&self.stack_ids, caller, offset, "stack"));
            let mut stack = caller.transpose()?.copied().flatten();
            for &frame in frames {
                stack = Some(self.stacks.add(stack, frame, &self.frames));
            }
            self.stack_ids.push(stack);
        }
        if let Some(of_type) = line.of_type {
            let id = self.types.named(&of_type.name);
            self.type_ids.push((id, kind(of_type.kind), of_type.part));
        }
        if let Some(row) = line.row {
            self.row(&row, offset)?;
        }
        Ok(line.end)
    }

    fn frame(&self, line: FrameLine) -> Frame {
        let logs = line
            .logs
            .unwrap_or_else(|| writes_logs(&line.file, &line.function));
        let by_path = || role(&line.file, &self.root);
        let role = line.role.map_or_else(by_path, RoleName::role);
        Frame {
            returns: line
                .returns
                .map_or_else(|| returns(&line.function, role), ReturnsName::returns),
            file: below(&line.file, &self.root),
            function: line.function,
            line: line.line,
            column: line.column,
            role,
            logs,
        }
    }

    fn row(&mut self, line: &RowLine, offset: usize) -> Result<(), Malformed> {
        let stack = line.stack.map(|id| pick(&self.stack_ids, id, offset, "stack"));
        let of_type = line.type_id.map(|id| pick(&self.type_ids, id, offset, "type"));
        let stack = stack.transpose()?.copied().flatten();
        let (mut type_id, mut kind, is_part) = of_type
            .transpose()?
            .map_or((None, Kind::Opaque, false), |&(id, kind, part)| {
                (Some(id), kind, part)
            });
        let (mut empty, mut empty_bytes) = (line.empty, line.empty_bytes);
        if type_id.is_none() && self.runtime.name == crystal::RUNTIME {
            let frames = stack.into_iter().flat_map(|stack| self.stacks.frames(stack));
            let frames = frames.filter_map(|frame| self.frames.get(frame));
            let allocated = crystal::allocated(frames, line.head, line.bytes.checked_div(line.count));
            type_id = Some(self.types.named(&allocated.name));
            kind = allocated.kind;
            // Of a store only the size says that it never held anything: what it holds may be zeros.
            if allocated.is_object || line.requested == Some(0) {
                (empty, empty_bytes) = (line.blank, line.blank_bytes);
            }
        }
        for (part, whole, name) in [
            (line.kept, line.count, "kept"),
            (empty, line.count, "empty"),
            (line.distinct, line.count, "distinct"),
            (line.kept_bytes, line.bytes, "kept_bytes"),
            (empty_bytes, line.bytes, "empty_bytes"),
            (line.largest, line.bytes, "largest"),
        ] {
            if part.is_some_and(|part| part > whole) {
                let found = format!("{} of {whole}", part.unwrap_or_default());
                return Err(Malformed::new(
                    offset,
                    format!("\"{name}\" to be no more than there is"),
                    found,
                ));
            }
        }
        if let Some((from, to)) = line.among.filter(|(from, to)| from >= to) {
            let found = format!("{from} to {to}");
            return Err(Malformed::new(offset, "\"among\" to be a range", found));
        }
        self.in_windows(line, offset)?;
        let scale = self.scale(line);
        let scaled = |figure: u64| (figure as f64 * scale).round() as u64;
        let (count, bytes) = if self.sampling == Sampling::Exact {
            (line.count, line.bytes)
        } else {
            (scaled(line.count), scaled(line.bytes))
        };
        let exact = self.sampling == Sampling::Exact;
        let part = |figure: Option<u64>, whole: u64| {
            figure.map(|figure| if exact { figure } else { scaled(figure).min(whole) })
        };
        let too_much = || Malformed::new(offset, "sums below 2^63", "more than that");
        let sum = |so_far: u64, more: u64| {
            so_far
                .checked_add(more)
                .filter(|&sum| sum < 1 << 63)
                .ok_or_else(too_much)
        };
        self.bytes = sum(self.bytes, bytes)?;
        self.objects = sum(self.objects, count)?;
        self.rows.add(Row {
            stack,
            type_id,
            kind,
            count,
            bytes,
            largest: line.largest,
            kept: part(line.kept, count),
            kept_bytes: part(line.kept_bytes, bytes),
            empty: part(empty, count),
            empty_bytes: part(empty_bytes, bytes),
            distinct: line.distinct,
            entries: line
                .entries
                .map(|entries| if exact { entries } else { scaled(entries) }),
            among: line.among,
            part: is_part,
            internal: line.internal,
            operand: false,
            samples: line.count,
        });
        Ok(())
    }

    /// What a row made in each window, where there are windows.
    fn in_windows(&mut self, line: &RowLine, offset: usize) -> Result<(), Malformed> {
        let Sampling::Windows(windows) = &mut self.sampling else {
            return Ok(());
        };
        let mut parts = Vec::with_capacity(line.windows.len());
        let (mut count, mut bytes) = (0_u64, 0_u64);
        for &(window, of_count, of_bytes) in &line.windows {
            let Some(&Some(window)) = self.windows.get(window as usize) else {
                let found = window.to_string();
                return Err(Malformed::new(
                    offset,
                    "the number of a window in which objects were seen",
                    found,
                ));
            };
            (count, bytes) = (count.saturating_add(of_count), bytes.saturating_add(of_bytes));
            parts.push(Part {
                window,
                bytes: of_bytes,
            });
        }
        if (count, bytes) != (line.count, line.bytes) {
            let expected = format!("windows with {} objects and {} bytes", line.count, line.bytes);
            return Err(Malformed::new(offset, expected, format!("{count} and {bytes}")));
        }
        windows.add(parts);
        Ok(())
    }

    /// How many objects each one that was seen stands for.
    fn scale(&self, line: &RowLine) -> f64 {
        let mean = line.bytes.checked_div(line.count).unwrap_or_default();
        1.0 / self.sampling.probability(mean.max(1)).max(f64::MIN_POSITIVE)
    }

    fn finish(self, end: &End, partial: Option<String>, length: usize) -> Result<Churn, Malformed> {
        if let Some(rows) = end.rows.filter(|&rows| rows != self.rows.len() as u64) {
            let found = format!("{}", self.rows.len());
            return Err(Malformed::new(length, format!("{rows} rows"), found));
        }
        let rows = || self.rows.iter();
        let is_container = |row: &&Row| matches!(row.kind, Kind::Array | Kind::Table | Kind::Buffer);
        let coverage = ChurnCoverage {
            types: presence(rows().map(|row| row.kind != Kind::Opaque)),
            counts: Presence::Present,
            survivors: presence(rows().map(|row| row.kept_bytes.is_some())),
            fills: presence(rows().filter(is_container).map(|row| row.empty_bytes.is_some())),
            contents: presence(rows().map(|row| row.distinct.is_some())),
            lines: match self.granularity {
                Granularity::Calls => Presence::Present,
                Granularity::Functions => Presence::Partial,
            },
        };
        let too_few = match &self.sampling {
            Sampling::Windows(windows) if !windows.are_enough() => Some(format!(
                "the program ran for too short a time to be sampled: {} windows; record every object",
                windows.count()
            )),
            _ => None,
        };
        let partial = partial.or(too_few);
        let compiler = match self.runtime.name.as_str() {
            JAVA => Compiler::Eliminates,
            _ => Compiler::Keeps,
        };
        Ok(Churn {
            frames: self.frames,
            stacks: self.stacks,
            types: self.types,
            rows: self.rows,
            sampling: self.sampling,
            operations: end.operations,
            coverage,
            totals: Totals {
                heap_used: end.heap_used,
                heap_asked: None,
                heap_total: end.heap_total,
                external: end.external,
                rss: end.rss,
                ..Totals::default()
            },
            layout: as_asked(&self.runtime),
            runtime: self.runtime,
            allocator: Box::new(Exact),
            root: self.root,
            antipatterns: Vec::new(),
            gatherings: Vec::new(),
            compiler,
            main_returned: self.main_returned,
            source_read: false,
            partial,
        })
    }
}

/// The path as seen from the program's directory, when it lies below it.
pub(crate) fn below(file: &str, root: &str) -> String {
    let root = root.trim_end_matches('/');
    let inside = file
        .strip_prefix(root)
        .and_then(|rest| rest.strip_prefix('/'))
        .filter(|rest| !root.is_empty() && !rest.is_empty());
    inside.unwrap_or(file).to_owned()
}

fn pick<'i, T>(ids: &'i [T], id: u32, offset: usize, what: &str) -> Result<&'i T, Malformed> {
    ids.get(id as usize).ok_or_else(|| {
        let expected = format!("the number of a {what} that stands before, below {}", ids.len());
        Malformed::new(offset, expected, id.to_string())
    })
}

fn presence(mut each: impl Iterator<Item = bool>) -> Presence {
    let Some(first) = each.next() else {
        return Presence::Absent;
    };
    match (first, each.all(|one| one == first)) {
        (true, true) => Presence::Present,
        (false, true) => Presence::Absent,
        _ => Presence::Partial,
    }
}

fn kind(name: KindName) -> Kind {
    match name {
        KindName::Record => Kind::Record,
        KindName::String => Kind::String,
        KindName::Array => Kind::Array,
        KindName::Table => Kind::Table,
        KindName::Buffer => Kind::Buffer,
        KindName::Number => Kind::Number,
        KindName::Date => Kind::Date,
        KindName::Closure => Kind::Closure,
        KindName::Opaque => Kind::Opaque,
    }
}
