//! The watch over the memory in use.

use std::path::PathBuf;
use std::time::Duration;
use std::{fs, thread};

use crate::{Exceeded, region};

/// How long memory may grow unseen.
const PAUSE: Duration = Duration::from_millis(4);

/// Pages come faster than the watch looks: they are let go of from this part of the limit on.
const TIMES: u64 = 3;

/// Smaller mapped files are left in memory, in bytes.
const LARGE: usize = 16 << 20;

/// Begins to watch.
pub fn begin(limit: u64, directory: PathBuf, exceeded: impl FnOnce(Exceeded) + Send + 'static) {
    let watch = move || {
        loop {
            thread::sleep(PAUSE);
            let Some((resident, own)) = in_use() else {
                continue;
            };
            if own > limit {
                exceeded(Exceeded {
                    needed: own,
                    full: region::is_full().then_some(directory),
                });
                std::process::exit(2);
            }
            if resident > limit / TIMES {
                let_go_of_files();
            }
        }
    };
    // Writing pages out may take long on a slow disk; those of the dump come on meanwhile.
    let write_out = move || {
        loop {
            thread::sleep(PAUSE);
            if in_use().is_some_and(|(resident, _)| resident > limit / TIMES) {
                region::let_go();
            }
        }
    };
    // Without a thread there is no watch, but the kernel can still write the pages out.
    let named = || thread::Builder::new().name("memory limit".to_owned());
    let _ = named().spawn(watch);
    let _ = named().spawn(write_out);
}

/// Bytes in memory, and those of them that are of no file.
fn in_use() -> Option<(u64, u64)> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let of = |name: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(name))?;
        let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
        Some(kilobytes << 10)
    };
    Some((of("VmRSS:")?, of("RssAnon:")?))
}

/// Lets go of the pages of files that are mapped to be read: the dump.
fn let_go_of_files() {
    let Ok(maps) = fs::read_to_string("/proc/self/maps") else {
        return;
    };
    for line in maps.lines() {
        let mut fields = line.split_whitespace();
        let (Some(range), Some(rights)) = (fields.next(), fields.next()) else {
            continue;
        };
        let address = |text: &str| usize::from_str_radix(text, 16).ok();
        let bounds = range
            .split_once('-')
            .and_then(|(start, end)| Some((address(start)?, address(end)?)));
        // Code and what is not a file's is left alone.
        let is_file = fields.nth(3).is_some_and(|path| path.starts_with('/'));
        if let Some((start, end)) = bounds.filter(|(start, end)| end - start >= LARGE)
            && rights.starts_with("r--")
            && is_file
        {
            // SAFETY: pages that are only read come back from their file when they are next asked for.
            unsafe { libc::madvise(start as *mut libc::c_void, end - start, libc::MADV_DONTNEED) };
        }
    }
}
