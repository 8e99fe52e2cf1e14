//! The dump and its record, as the clone writes them.

use std::ffi::CStr;

use crate::blocks::{Blocks, InPools};
use crate::churn::Made;
use crate::classes::Classes;
use crate::frames;
use crate::index::Index;
use crate::interned::{Interned, Search};
use crate::maps::{self, Maps};
use crate::names::Names;
use crate::output::{Output, number};
use crate::raw::{Address, half, word};
use crate::request::Request;
use crate::row::{Row, flag};
use crate::sort::{Sort, Variant};
use crate::symbols::Symbols;
use crate::texts::Texts;
use crate::tracked;
use crate::walk::{Interpreter, Walk};

/// The fourth version: an array says its shape, and where its bytes begin in the array that owns them.
const MAGIC: &[u8] = b"DWPYHEAP\x04\0\0\0\0\0\0\0";
const END: &[u8] = b"DWPYDONE";

/// What was found before the clone was made.
pub struct Found {
    pub interpreter: Interpreter,
    pub symbols: Symbols,
    pub types: Vec<(Address, Sort, Variant)>,
    pub variables: Vec<(Address, Address)>,
    /// Two of the interpreter's variables.
    pub near: [Address; 2],
    pub heads: Vec<Address>,
    pub modules: Address,
    /// States of threads, that of the caller first.
    pub states: Vec<Address>,
}

/// Writes all that was asked for; false when something did not reach its file.
pub fn write(request: &Request, found: Found) -> bool {
    let began = now();
    let mut size = None;
    if let Some((part, whole)) = request.dump() {
        match dump(request, found, part) {
            Some(bytes) if rename(part, whole) => size = Some(bytes),
            _ => return false,
        }
    }
    record(request, size, began)
}

fn dump(request: &Request, found: Found, part: &CStr) -> Option<u64> {
    let layout = found.interpreter.layout;
    let maps = Maps::read(found.variables);
    let locals = frames::locals(&layout, &maps, &found.states, request.frame).unwrap_or_default();
    let texts = Texts::new(layout);
    let search = Search::new(&layout, &texts, &maps, &found.types);
    let interned = search.and_then(|search| search.find(&found.near));
    let mut walk = Walk {
        interpreter: found.interpreter,
        texts,
        names: Names::new(),
        classes: Classes::new(layout, found.types),
        nodes: Index::new(),
        blocks: Blocks::new(maps, layout.pool, request.has_pools != 0, found.symbols.usable),
        output: Output::create(part)?,
        row: Row::default(),
        interned,
        made: Made::of_process(),
        has_lines: !request.lines.is_null(),
        visited: Vec::new(),
        named: Vec::new(),
    };
    walk.output.bytes(MAGIC);
    let modules = walk.row_of(found.modules);
    let mut roots = vec![(1, 0, 0, modules)];
    let interned = interned.map(|table| (walk.row_of(table.at), table));
    roots.extend(interned.map(|(row, _)| (1, 0, 0, row)));
    for local in locals {
        let function = walk.function_name(local.code).map_or(0, |name| name + 1);
        let variable = walk
            .names
            .of_object(&walk.texts, local.name)
            .map_or(0, |name| name + 1);
        let is_own = walk.is_of_recorder(local.code);
        let row = walk.row_of(local.value);
        roots.push((if is_own { 2 } else { 0 }, function, variable, row));
    }
    if let Some(made) = walk.made {
        // SAFETY: they are kept.
        for code in made.codes().filter(|&code| unsafe { half(code) } == 1) {
            roots.push((2, 0, 0, walk.row_of(code)));
        }
    }
    tracked::each(&found.heads, |object| {
        walk.nodes.number(object);
    });
    walk.run();
    let pools = walk.unowned();
    let made = walk.made.filter(|_| walk.has_lines);
    let stacks = made.map(|made| walk.stacks(&made, request.lines));
    let place = walk.output.place();
    header(request, &pools, interned, &mut walk.output);
    walk.names.write(&mut walk.output);
    walk.classes.write(&mut walk.output, &layout);
    walk.output.number(roots.len() as u64);
    for (sort, function, variable, row) in roots {
        walk.output.byte(sort);
        walk.output.number(u64::from(function));
        walk.output.number(u64::from(variable));
        walk.output.number(u64::from(row));
    }
    match stacks {
        Some(stacks) => walk.output.bytes(&stacks),
        // No frames, no stacks.
        None => walk.output.bytes(&[0, 0]),
    }
    walk.output.number(walk.nodes.len() as u64 + 1);
    walk.output.bytes(&place.to_le_bytes());
    walk.output.bytes(END);
    let bytes = walk.output.place();
    walk.output.finish().then_some(bytes)
}

impl Walk {
    /// Whether a function is one of the recorder's files.
    fn is_of_recorder(&self, code: Address) -> bool {
        // SAFETY: the address is that of a code object.
        let file = unsafe { word(code + self.layout().code_file) };
        let file = self.texts.utf8(file).unwrap_or_default();
        let name = file.rsplit(|&byte| byte == b'/').next().unwrap_or_default();
        name.starts_with(b"deadweight_recorder")
    }

    /// What ran while objects were made: frames, and stacks of them.
    fn stacks(&mut self, made: &Made, lines: *const u32) -> Vec<u8> {
        let mut written = Vec::new();
        let frames = made.frames();
        number(&mut written, frames.len() as u64);
        for (at, frame) in frames.iter().enumerate() {
            // SAFETY: the recorder hands over a line for each frame, and code objects of frames are kept.
            let (line, file, name) = unsafe {
                (
                    *lines.add(at),
                    word(frame.code + self.layout().code_file),
                    word(frame.code + self.layout().code_name),
                )
            };
            for text in [file, name] {
                let text = self.texts.utf8(text).unwrap_or_default();
                let name = self.names.of(&text);
                number(&mut written, u64::from(name));
            }
            number(&mut written, u64::from(line));
        }
        // That of number 0 is of no stack.
        let stacks = made.stacks().get(1..).unwrap_or_default();
        number(&mut written, stacks.len() as u64);
        for stack in stacks {
            number(&mut written, u64::from(stack.caller));
            number(&mut written, u64::from(stack.frame));
        }
        written
    }

    /// The row of what is in pools and no object's that was found.
    fn unowned(&mut self) -> InPools {
        let pools = self.blocks.in_pools();
        let bytes = pools.bytes.saturating_sub(pools.charged_bytes);
        let name = self.names.of(b"free lists and blocks of C");
        self.row.clear();
        self.row.sort = Sort::Unowned as u8;
        self.row.flags |= flag::SHARED;
        self.row.blocks.push((bytes, bytes));
        self.row.tell(u64::from(name));
        self.row.write(&mut self.output);
        pools
    }
}

fn header(request: &Request, pools: &InPools, interned: Option<(u32, Interned)>, output: &mut Output) {
    let resident = status(b"VmRSS:").unwrap_or_default();
    let interned = interned.map_or_else(String::new, |(row, table)| {
        let Interned {
            entries, free, slots, ..
        } = table;
        format!(",\"interned\":{{\"row\":{row},\"entries\":{entries},\"free\":{free},\"slots\":{slots}}}")
    });
    let text = format!(
        ",\"allocator\":{{\"name\":\"{}\",\"pools\":{},\"pool_blocks\":{},\"pool_block_bytes\":{},\"unused_bytes\":{},\
         \"object_blocks\":{},\"object_block_bytes\":{}}},\"resident_bytes\":{resident}{interned}}}",
        if request.has_pools == 0 {
            "malloc"
        } else {
            "pymalloc"
        },
        pools.pools,
        pools.blocks,
        pools.bytes,
        pools.unused,
        pools.charged_blocks,
        pools.charged_bytes,
    );
    let header = [request.header(), text.as_bytes()].concat();
    output.bytes(&(header.len() as u32).to_le_bytes());
    output.bytes(&header);
}

/// `began` is when the copy began: until then the program stood still.
fn record(request: &Request, size: Option<u64>, began: f64) -> bool {
    let (part, whole) = request.record();
    let Some(mut output) = Output::create(part) else {
        return false;
    };
    output.bytes(request.record_front());
    let seconds = now() - began;
    if let Some(bytes) = size {
        output.bytes(b",\"snapshot\":{\"file\":\"");
        output.bytes(request.dump_name());
        output.bytes(format!("\",\"bytes\":{bytes},\"string_limit\":4294967295,\"numeric_values\":true,\"seconds\":{seconds:.6}}}").as_bytes());
    }
    let cost = format!(
        ",\"cost\":{{\"seconds\":{:.6},\"pause_seconds\":{:.6},\"peak_rss_before\":{},\"peak_rss\":{}}}}}\n",
        now() - request.began,
        began - request.began,
        request.peak_before,
        status(b"VmHWM:").unwrap_or_default(),
    );
    output.bytes(cost.as_bytes());
    output.finish() && rename(part, whole)
}

fn rename(from: &CStr, to: &CStr) -> bool {
    // SAFETY: paths that end with zero.
    unsafe { libc::rename(from.as_ptr(), to.as_ptr()) == 0 }
}

fn now() -> f64 {
    let mut time = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: the place is there.
    unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &raw mut time) };
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

/// A line of this process's status, in bytes.
fn status(name: &[u8]) -> Option<u64> {
    let text = maps::file(c"/proc/self/status");
    let line = text
        .split(|&byte| byte == b'\n')
        .find(|line| line.starts_with(name))?;
    let digits = std::str::from_utf8(line).ok()?;
    let kilobytes: u64 = digits.split_ascii_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes * 1024)
}
