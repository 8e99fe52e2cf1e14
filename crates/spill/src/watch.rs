//! The watch over the memory in use.

use std::fs;
use std::thread;
use std::time::Duration;

use crate::region;

/// How long memory may grow unseen.
const PAUSE: Duration = Duration::from_millis(4);

/// Smaller mapped files are left in memory, in bytes.
const LARGE: usize = 16 << 20;

/// Begins to watch.
pub fn begin(limit: u64, exceeded: impl FnOnce(u64) + Send + 'static) {
    let watch = move || {
        loop {
            thread::sleep(PAUSE);
            let Some((resident, own)) = in_use() else {
                continue;
            };
            if own > limit {
                exceeded(own);
                std::process::exit(2);
            }
            // Pages come faster than the watch looks.
            if resident > limit / 3 {
                region::let_go();
                let_go_of_files();
            }
        }
    };
    // Without a thread there is no watch, but the kernel can still write the pages out.
    let _ = thread::Builder::new()
        .name("memory limit".to_owned())
        .spawn(watch);
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
