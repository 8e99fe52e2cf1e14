//! Dumps that are still being written when the program is gone: a copy of the process writes them, and lives on where the
//! process is killed.

use std::{
    fs, io,
    os::unix::ffi::OsStrExt,
    path::Path,
    thread,
    time::{Duration, Instant},
};

use crate::journal::{Journal, Writer};

/// What takes longer is left to itself.
const LONGEST: Duration = Duration::from_secs(60);
const LOOK: Duration = Duration::from_millis(5);

/// Waits for the copies of processes that are gone, and takes away what was left unfinished by those that were killed.
pub(crate) fn wait(journal: &Journal, directory: &Path) -> io::Result<()> {
    let began = Instant::now();
    for Writer { pid, process } in journal.entries()?.writers {
        // A process that goes on waits for its copies itself, at its end.
        while !lives(process) && lives(pid) && began.elapsed() < LONGEST {
            thread::sleep(LOOK);
        }
        if !lives(pid) {
            discard(directory, &format!("-{process}-{pid}-0.partial"));
        }
    }
    Ok(())
}

/// Hidden files with that ending. What cannot be taken away stays: it is in nobody's way.
fn discard(directory: &Path, ending: &str) {
    for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
        let name = entry.file_name();
        if name.as_bytes().starts_with(b".") && name.as_bytes().ends_with(ending.as_bytes()) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Whether a process runs: one that has ended and was not waited for does not.
pub(crate) fn lives(pid: u32) -> bool {
    let Ok(stat) = fs::read_to_string(format!("/proc/{pid}/stat")) else {
        return false;
    };
    // The name in parentheses may hold any characters.
    let state = stat
        .rsplit(')')
        .next()
        .and_then(|rest| rest.trim_start().chars().next());
    !matches!(state, None | Some('Z' | 'X'))
}

#[cfg(test)]
mod tests {
    use std::{process::Command, process::id};

    use super::*;

    #[test]
    fn a_process_that_has_ended_lives_no_more() {
        assert!(lives(id()));
        let mut child = Command::new("true").spawn().unwrap();
        while lives(child.id()) {
            thread::sleep(LOOK);
        }
        child.wait().unwrap();
        assert!(!lives(child.id()));
    }
}
