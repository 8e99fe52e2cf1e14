//! The recorders of runtimes, as their files.

/// A file of a recorder: its name and its contents.
pub type EmbeddedFile = (&'static str, &'static [u8]);

macro_rules! embedded {
    ($folder:literal: $($name:literal),* $(,)?) => {
        &[$(($name, include_bytes!(concat!("../", $folder, "/", $name)) as &[u8])),*]
    };
}

/// The recorder for Node.js.
pub const NODE: &[EmbeddedFile] = embedded![
    "node":
    "recorder.cjs",
    "arm.cjs",
    "attach.cjs",
    "capture.cjs",
    "churn.cjs",
    "collect.cjs",
    "counts.cjs",
    "curve.cjs",
    "death.cjs",
    "equal.cjs",
    "fail.cjs",
    "files.cjs",
    "find.cjs",
    "kill.cjs",
    "limit.cjs",
    "line-ends.cjs",
    "peak-thread.cjs",
    "peak.cjs",
    "probe.cjs",
    "program.cjs",
    "scan.cjs",
    "session.cjs",
    "settings.cjs",
    "snapshot.cjs",
    "texts.cjs",
    "totals.cjs",
    "when.cjs",
    "worker.cjs",
    "workers.cjs",
];

/// The recorder for Ruby.
pub const RUBY: &[EmbeddedFile] = embedded![
    "ruby":
    "deadweight_recorder.rb",
    "deadweight_capture.rb",
    "deadweight_churn.rb",
    "deadweight_classes.rb",
    "deadweight_curve.rb",
    "deadweight_files.rb",
    "deadweight_names.rb",
    "deadweight_settings.rb",
    "deadweight_sites.rb",
    "deadweight_strings.rb",
    "deadweight_triggers.rb",
];

/// The recorder for Python.
pub const PYTHON: &[EmbeddedFile] = embedded![
    "python":
    "sitecustomize.py",
    "deadweight_recorder.py",
    "deadweight_recorder_attach.py",
    "deadweight_recorder_calls.py",
    "deadweight_recorder_capture.py",
    "deadweight_recorder_churn.py",
    "deadweight_recorder_files.py",
    "deadweight_recorder_highest.py",
    "deadweight_recorder_library.py",
    "deadweight_recorder_memory_errors.py",
    "deadweight_recorder_samples.py",
    "deadweight_recorder_settings.py",
    "deadweight_recorder_triggers.py",
];

/// The recorder for programs on the Java virtual machine: compiled by `java/build.sh`, as a clean clone builds without a JDK.
pub const JAVA: &[EmbeddedFile] = embedded!["java": "deadweight-recorder.jar"];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use super::*;

    #[test]
    fn every_file_of_each_recorder_is_embedded() {
        let recorders = [
            ("node", "cjs", NODE),
            ("ruby", "rb", RUBY),
            ("python", "py", PYTHON),
            ("java", "jar", JAVA),
        ];
        for (folder, ending, files) in recorders {
            let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
            let there: BTreeSet<String> = std::fs::read_dir(directory)
                .unwrap()
                .map(|entry| entry.unwrap().file_name().into_string().unwrap())
                .filter(|name| {
                    Path::new(name)
                        .extension()
                        .is_some_and(|extension| extension == ending)
                })
                .collect();
            let embedded: BTreeSet<String> = files.iter().map(|(name, _)| (*name).to_owned()).collect();
            assert_eq!(embedded, there, "{folder}");
        }
    }
}
