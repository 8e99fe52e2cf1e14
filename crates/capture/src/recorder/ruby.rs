//! The recorder for Ruby, loaded through `RUBYLIB` and `RUBYOPT=-r`.

use std::{
    ffi::{OsStr, OsString},
    path::Path,
};

use super::{EmbeddedFile, Recorder, in_front};
use crate::runtime::Runtime;

/// The file to require, without its ending.
const ENTRY: &str = "deadweight_recorder";

/// Records Ruby programs, from Ruby 3.1 on.
#[derive(Clone, Copy, Debug, Default)]
pub struct RubyRecorder;

impl Recorder for RubyRecorder {
    fn runtime(&self) -> Runtime {
        Runtime::Ruby
    }

    fn files(&self) -> &'static [EmbeddedFile] {
        deadweight_recorders::RUBY
    }

    /// What is held is known when garbage was collected: the smaller the steps by which the heap grows, the oftener.
    fn for_highest(&self) -> &'static [(&'static str, &'static str)] {
        &[
            ("RUBY_GC_HEAP_GROWTH_FACTOR", "1.1"),
            ("RUBY_GC_MALLOC_LIMIT_GROWTH_FACTOR", "1.1"),
        ]
    }

    /// `RUBYOPT` is split at spaces and knows no escape, so the path of the recorder goes into `RUBYLIB`.
    fn environment(
        &self,
        installed: &Path,
        _sites: bool,
        inherited: &dyn Fn(&OsStr) -> Option<OsString>,
    ) -> Vec<(OsString, OsString)> {
        vec![
            in_front("RUBYLIB", installed.into(), ":", inherited),
            in_front("RUBYOPT", format!("-r{ENTRY}").into(), " ", inherited),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_options_of_the_user_stay() {
        let with = |theirs: Option<&str>| {
            let theirs = theirs.map(OsString::from);
            let inherited = |_: &OsStr| theirs.clone();
            let variables = RubyRecorder.environment(Path::new("/a b"), false, &inherited);
            variables.into_iter().map(|(_, value)| value).collect::<Vec<_>>()
        };
        assert_eq!(with(None), ["/a b", "-rdeadweight_recorder"]);
        assert_eq!(with(Some("")), with(None));
        assert_eq!(with(Some("-w")), ["/a b:-w", "-rdeadweight_recorder -w"]);
    }
}
