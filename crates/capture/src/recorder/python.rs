//! The recorder for Python, loaded as the module `sitecustomize` that `PYTHONPATH` leads to.

use std::{
    ffi::{OsStr, OsString},
    path::Path,
};

use super::{EmbeddedFile, Recorder, in_front};
use crate::runtime::Runtime;

/// Records Python programs, from `CPython` 3.9 on.
#[derive(Clone, Copy, Debug, Default)]
pub struct PythonRecorder;

impl Recorder for PythonRecorder {
    fn runtime(&self) -> Runtime {
        Runtime::Python
    }

    fn files(&self) -> &'static [EmbeddedFile] {
        deadweight_recorders::PYTHON
    }

    /// Every interpreter imports `sitecustomize` at its start, in virtual environments too. Ours imports the next one.
    fn environment(
        &self,
        installed: &Path,
        _sites: bool,
        inherited: &dyn Fn(&OsStr) -> Option<OsString>,
    ) -> Vec<(OsString, OsString)> {
        vec![in_front("PYTHONPATH", installed.into(), ":", inherited)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_path_of_the_user_stays() {
        let with = |theirs: Option<&str>| {
            let theirs = theirs.map(OsString::from);
            let inherited = |_: &OsStr| theirs.clone();
            PythonRecorder.environment(Path::new("/a b"), false, &inherited)[0]
                .1
                .clone()
        };
        assert_eq!(with(None), "/a b");
        assert_eq!(with(Some("")), with(None));
        assert_eq!(with(Some("src")), "/a b:src");
    }
}
