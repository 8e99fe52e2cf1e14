//! Snapshots that a runtime wrote by itself, when its heap came near the limit or met it.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use crate::journal::Limit;

/// Takes them from where they were written into the directory of captures.
pub(crate) fn collect(limits: &[Limit], captures: &Path) -> Vec<PathBuf> {
    let found = limits.iter().flat_map(|limit| {
        let written = written(limit).into_iter().enumerate();
        let moved = written.filter_map(|(at, path)| {
            let name = format!("{}-{}-limit-{}.heapsnapshot", limit.program, limit.pid, at + 1);
            let to = captures.join(Path::new(&name).file_name()?);
            // What cannot be taken stays where the runtime has said that it is.
            move_file(&path, &to).ok().map(|()| to)
        });
        // A Java virtual machine writes its dump here at once: the recorder has set its path.
        let there = captures.join(format!("{}-{}-limit-1.hprof", limit.program, limit.pid));
        let there = there.is_file().then_some(there);
        moved.chain(there).collect::<Vec<_>>()
    });
    found.collect()
}

/// Those of the process, which the runtime names `Heap.DATE.TIME.PID.THREAD.NUMBER.heapsnapshot`.
fn written(limit: &Limit) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(&limit.directory) else {
        return Vec::new();
    };
    let pid = limit.pid.to_string();
    let is_its = |name: &str| {
        let parts: Vec<&str> = name.split('.').collect();
        matches!(parts[..], ["Heap", _, _, of, _, _, "heapsnapshot"] if of == pid)
    };
    let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let mut paths: Vec<PathBuf> = paths
        .filter(|path| {
            path.file_name()
                .and_then(|name| name.to_str())
                .is_some_and(is_its)
        })
        .collect();
    paths.sort();
    paths
}

fn move_file(from: &Path, to: &Path) -> io::Result<()> {
    // Another file system takes a copy.
    fs::rename(from, to).or_else(|_| fs::copy(from, to).and_then(|_| fs::remove_file(from)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn those_of_the_process_are_taken_and_no_others() {
        let home = tempfile::tempdir().unwrap();
        let captures = tempfile::tempdir().unwrap();
        let its = "Heap.20260101.101112.77.0.001.heapsnapshot";
        let others = [
            "Heap.20260101.101112.7.0.001.heapsnapshot",
            "Heap.77.heapsnapshot",
            "77.txt",
        ];
        for name in others.into_iter().chain([its]) {
            fs::write(home.path().join(name), name).unwrap();
        }
        let limit = Limit {
            pid: 77,
            program: "app".to_owned(),
            directory: home.path().to_owned(),
        };
        let taken = collect(&[limit], captures.path());
        assert_eq!(taken, [captures.path().join("app-77-limit-1.heapsnapshot")]);
        assert_eq!(fs::read_to_string(&taken[0]).unwrap(), its);
        assert!(!home.path().join(its).exists());
        assert!(others.iter().all(|name| home.path().join(name).exists()));
    }

    #[test]
    fn that_of_a_java_machine_is_there_already() {
        let captures = tempfile::tempdir().unwrap();
        let limit = |pid| Limit {
            pid,
            program: "app".to_owned(),
            directory: captures.path().to_owned(),
        };
        let dump = captures.path().join("app-7-limit-1.hprof");
        fs::write(&dump, "JAVA PROFILE").unwrap();
        assert_eq!(collect(&[limit(7), limit(8)], captures.path()), [dump]);
    }
}
