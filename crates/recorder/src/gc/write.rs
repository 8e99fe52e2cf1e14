//! The record: `docs/formats/churn.md`.

use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::os::unix::ffi::OsStrExt;

use super::tally::{Allocated, DEAD, Sums, Tally, look};
use super::{collection, is_crystal, real};
use crate::snapshot::maps::{self, Mapping};
use crate::stack::TREE;
use crate::table::Block;
use crate::{TABLE, counts, files, operations, settings};

/// Writes all that was made so far. `survivors`: whether the table holds what is alive and nothing else.
pub fn record(survivors: bool) -> io::Result<()> {
    let settings = settings::get().ok_or_else(|| io::Error::other("no settings"))?;
    let alive = alive();
    let dead = DEAD.with(|sums| sums.clone());
    let text = text(&dead, &alive, survivors, &maps::read()?);
    // SAFETY: no arguments.
    let process = unsafe { libc::getpid() };
    files::whole(settings, process, "dwchurn", 0, |mut file| {
        file.write_all(text.as_bytes())
    })
    .map(|_| ())
}

/// What stands in the table, added up.
fn alive() -> Sums {
    let mut sums = Sums::default();
    TABLE.lock();
    let visit = |blocks: &[Block]| -> Result<(), ()> {
        for block in blocks.iter().filter(|block| collection::is_there(block)) {
            sums.entry(block.stack).or_default().add(&look(block));
        }
        Ok(())
    };
    let _ = TABLE.for_each_region(visit);
    TABLE.unlock();
    sums
}

fn text(dead: &Sums, alive: &Sums, survivors: bool, mappings: &[Mapping]) -> String {
    let mut out = String::new();
    head(&mut out, mappings);
    let nodes = TREE.len() as u32;
    for id in 1..nodes {
        let address = TREE.node(id).address;
        line(&mut out, format_args!(r#"{{"frame":{{"address":{address}}}}}"#));
    }
    for id in 1..nodes {
        let caller = number(TREE.node(id).parent);
        line(&mut out, format_args!(r#"{{"stack":[{caller},{}]}}"#, id - 1));
    }
    let mut stacks: Vec<u32> = dead.keys().chain(alive.keys()).copied().collect();
    stacks.sort_unstable();
    stacks.dedup();
    let mut rows = 0_u64;
    for stack in stacks {
        let of = |sums: &Sums| sums.get(&stack).copied().unwrap_or_default();
        for (word, gone, kept) in by_word(&of(dead), &of(alive)) {
            row(&mut out, stack, word, &gone, survivors.then_some(&kept), &kept);
            rows += 1;
        }
    }
    tail(&mut out, rows);
    out
}

fn head(out: &mut String, mappings: &[Mapping]) {
    let name = if is_crystal() { "crystal" } else { "boehm" };
    let collector = real::get_version::get().map_or(0, |version| {
        // SAFETY: no arguments.
        unsafe { version() }
    });
    let root = std::env::current_dir().unwrap_or_default();
    line(
        out,
        format_args!(
            r#"{{"deadweight":"churn","version":1,"runtime":{{"name":"{name}","word_bytes":{},"allocator":"boehm {}.{}.{}"}},"root":{}}}"#,
            size_of::<usize>(),
            collector >> 16,
            collector >> 8 & 0xFF,
            collector & 0xFF,
            quoted(root.as_os_str().as_bytes()),
        ),
    );
    for mapping in mappings {
        if mapping.path.first() != Some(&b'/') {
            continue;
        }
        let (path, id) = (quoted(&mapping.path), hex(&mapping.build_id));
        line(
            out,
            format_args!(
                r#"{{"module":{{"path":{path},"start":{},"end":{},"offset":{},"build_id":"{id}"}}}}"#,
                mapping.start, mapping.end, mapping.offset
            ),
        );
    }
}

/// The sums of a stack by first word, or one without a word when there were too many of them.
fn by_word(dead: &Allocated, alive: &Allocated) -> Vec<(Option<u32>, Tally, Tally)> {
    let mut found: Vec<(Option<u32>, Tally, Tally)> = Vec::new();
    for (allocated, is_dead) in [(dead, true), (alive, false)] {
        for (word, tally) in allocated.words.iter().flatten() {
            let at = found.iter().position(|(known, _, _)| *known == Some(*word));
            let at = at.unwrap_or_else(|| {
                found.push((Some(*word), Tally::default(), Tally::default()));
                found.len() - 1
            });
            let (_, gone, kept) = &mut found[at];
            if is_dead { gone.add(tally) } else { kept.add(tally) }
        }
    }
    if dead.other.count + alive.other.count == 0 && found.len() <= super::tally::WORDS {
        return found;
    }
    let (mut gone, mut kept) = (dead.other, alive.other);
    for (_, more_gone, more_kept) in &found {
        gone.add(more_gone);
        kept.add(more_kept);
    }
    vec![(None, gone, kept)]
}

fn row(
    out: &mut String,
    stack: u32,
    word: Option<u32>,
    gone: &Tally,
    survivors: Option<&Tally>,
    kept: &Tally,
) {
    let mut all = *gone;
    all.add(kept);
    let stack = number(stack);
    let _ = write!(
        out,
        r#"{{"row":{{"stack":{stack},"count":{},"bytes":{},"requested":{},"largest":{}"#,
        all.count, all.bytes, all.requested, all.largest
    );
    if let Some(word) = word {
        let _ = write!(out, r#","head":{word}"#);
    }
    if let Some(kept) = survivors {
        let _ = write!(
            out,
            r#","kept":{},"kept_bytes":{},"blank":{},"blank_bytes":{}"#,
            kept.count, kept.held, gone.blank, gone.blank_bytes
        );
    }
    out.push_str("}}\n");
}

fn tail(out: &mut String, rows: u64) {
    let (mut heap, mut free, mut unmapped, mut since, mut total) = (0_usize, 0, 0, 0, 0);
    if let Some(usage) = real::get_heap_usage::get() {
        // SAFETY: valid places for five words.
        unsafe {
            usage(
                &raw mut heap,
                &raw mut free,
                &raw mut unmapped,
                &raw mut since,
                &raw mut total,
            );
        }
    }
    let operations = operations::count();
    line(
        out,
        format_args!(
            r#"{{"end":{{"operations":{operations},"rows":{rows},"heap_used":{},"heap_total":{heap},"allocated":{total},"lost_blocks":{},"lost_stacks":{},"missed_collections":{}}}}}"#,
            heap.saturating_sub(free),
            TABLE.lost.load(std::sync::atomic::Ordering::Relaxed),
            counts::LOST_STACKS.load(std::sync::atomic::Ordering::Relaxed),
            collection::missed(),
        ),
    );
}

fn line(out: &mut String, text: std::fmt::Arguments<'_>) {
    // A string takes all that is written.
    let _ = writeln!(out, "{text}");
}

/// A stack's number in the record, where the root of the tree is none.
fn number(node: u32) -> String {
    node.checked_sub(1)
        .map_or_else(|| "null".to_owned(), |number| number.to_string())
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

fn quoted(text: &[u8]) -> String {
    let mut out = String::from('"');
    for char in String::from_utf8_lossy(text).chars() {
        match char {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            char if char < ' ' => {
                let _ = write!(out, "\\u{:04x}", u32::from(char));
            }
            char => out.push(char),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn allocated(words: &[u32]) -> Allocated {
        let mut allocated = Allocated::default();
        let tally = Tally {
            count: 1,
            bytes: 16,
            ..Tally::default()
        };
        for (place, word) in allocated.words.iter_mut().zip(words) {
            *place = Some((*word, tally));
        }
        allocated
    }

    #[test]
    fn types_of_the_dead_and_the_living_are_brought_together() {
        let rows = by_word(&allocated(&[1, 7]), &allocated(&[7]));
        let counts: Vec<_> = rows
            .iter()
            .map(|(word, gone, kept)| (*word, gone.count, kept.count))
            .collect();
        assert_eq!(counts, [(Some(1), 1, 0), (Some(7), 1, 1)]);
        let rows = by_word(&allocated(&[1, 2, 3, 4]), &allocated(&[5]));
        assert_eq!(
            (rows.len(), rows[0].0, rows[0].1.count, rows[0].2.count),
            (1, None, 4, 1)
        );
    }
}
