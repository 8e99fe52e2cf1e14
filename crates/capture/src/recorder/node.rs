//! The recorder for Node.js, loaded through `NODE_OPTIONS=--require`.

use std::{
    ffi::{OsStr, OsString},
    os::unix::ffi::{OsStrExt, OsStringExt},
    path::Path,
};

use super::{EmbeddedFile, Recorder, in_front};
use crate::runtime::Runtime;

const ENTRY: &str = "recorder.cjs";

/// Records Node.js programs, from Node 18 on.
#[derive(Clone, Copy, Debug, Default)]
pub struct NodeRecorder;

impl Recorder for NodeRecorder {
    fn runtime(&self) -> Runtime {
        Runtime::Node
    }

    fn files(&self) -> &'static [EmbeddedFile] {
        deadweight_recorders::NODE
    }

    fn environment(
        &self,
        installed: &Path,
        sites: bool,
        inherited: &dyn Fn(&OsStr) -> Option<OsString>,
    ) -> Vec<(OsString, OsString)> {
        let mut options = require(&installed.join(ENTRY));
        if sites {
            // Through the inspector it would keep a timer, and with it the process, alive.
            options.push(" --track-heap-objects");
        }
        vec![in_front("NODE_OPTIONS", options, " ", inherited)]
    }
}

/// `--require="path"`. Node splits the variable at spaces outside double quotes; inside them a backslash escapes.
fn require(path: &Path) -> OsString {
    let mut option = b"--require=\"".to_vec();
    for &byte in path.as_os_str().as_bytes() {
        if matches!(byte, b'"' | b'\\') {
            option.push(b'\\');
        }
        option.push(byte);
    }
    option.push(b'"');
    OsString::from_vec(option)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_options_of_the_user_stay() {
        let with = |theirs: Option<&str>| {
            let theirs = theirs.map(OsString::from);
            let inherited = |_: &OsStr| theirs.clone();
            NodeRecorder.environment(Path::new("/a b/\"c\""), false, &inherited)[0]
                .1
                .clone()
        };
        assert_eq!(with(None), r#"--require="/a b/\"c\"/recorder.cjs""#);
        assert_eq!(with(Some("")), with(None));
        assert_eq!(
            with(Some("--no-warnings")),
            r#"--require="/a b/\"c\"/recorder.cjs" --no-warnings"#
        );
        let sites = NodeRecorder.environment(Path::new("/a"), true, &|_| None);
        assert_eq!(sites[0].1, r#"--require="/a/recorder.cjs" --track-heap-objects"#);
    }
}
