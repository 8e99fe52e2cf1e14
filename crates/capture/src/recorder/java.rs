//! The recorder for the Java virtual machine, loaded through `JAVA_TOOL_OPTIONS=-javaagent:`.

use std::{
    ffi::{OsStr, OsString},
    fs,
    path::Path,
};

use super::{EmbeddedFile, Recorder, in_front};
use crate::runtime::{Runtime, find};

const ENTRY: &str = "deadweight-recorder.jar";

/// Names the signal by which the machine suspends threads, which is SIGUSR2 where it names none.
const SUSPENDS_BY: &str = "_JAVA_SR_SIGNUM";

/// SIGSTKFLT, which no kernel sends: with it SIGUSR2 is free to ask for a capture.
const UNUSED: &str = "16";

/// Records programs on a Java virtual machine, of version 8 and later.
#[derive(Clone, Copy, Debug, Default)]
pub struct JavaRecorder;

impl Recorder for JavaRecorder {
    fn runtime(&self) -> Runtime {
        Runtime::Java
    }

    fn files(&self) -> &'static [EmbeddedFile] {
        deadweight_recorders::JAVA
    }

    /// Every machine reads the variable, whoever starts it: a launcher, a build tool, a program that has it built in.
    fn environment(
        &self,
        installed: &Path,
        _sites: bool,
        inherited: &dyn Fn(&OsStr) -> Option<OsString>,
    ) -> Vec<(OsString, OsString)> {
        // A machine that cannot load what the option names does not start.
        let Some(option) = agent(&installed.join(ENTRY)) else {
            return Vec::new();
        };
        let mut variables = vec![in_front("JAVA_TOOL_OPTIONS", option.into(), " ", inherited)];
        if inherited(OsStr::new(SUSPENDS_BY)).is_none() {
            variables.push((SUSPENDS_BY.into(), UNUSED.into()));
        }
        variables
    }
}

/// `-javaagent:path`. The machine splits the variable at spaces outside of quotes, knows no escape, and takes what is behind
/// an equals sign for arguments of the agent. `None` for a path that cannot be written so.
fn agent(path: &Path) -> Option<String> {
    let path = path.to_str().filter(|path| !path.contains('='))?;
    let quote = ["", "\"", "'"].into_iter().find(|quote| match *quote {
        "" => !path.contains(|c: char| c.is_whitespace() || matches!(c, '"' | '\'')),
        quote => !path.contains(quote),
    })?;
    Some(format!("{quote}-javaagent:{path}{quote}"))
}

/// Whether a program is started by an image of Java that was made (by jlink) without the module `java.instrument`: with an
/// agent it would not start. A script that starts such an image is not looked into.
pub(crate) fn lacks_instrument(program: &OsStr) -> bool {
    let modules = || {
        let file = fs::canonicalize(find(Path::new(program))?).ok()?;
        let release = fs::read_to_string(file.parent()?.parent()?.join("release")).ok()?;
        let line = release.lines().find_map(|line| line.strip_prefix("MODULES="));
        line.map(|modules| modules.trim_matches('"').to_owned())
    };
    modules().is_some_and(|modules| {
        let mut modules = modules.split_ascii_whitespace();
        modules.clone().any(|module| module == "java.base")
            && modules.all(|module| module != "java.instrument")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_options_of_the_user_stay() {
        let with = |path: &str, theirs: Option<&str>| {
            let theirs = theirs.map(OsString::from);
            let inherited = |name: &OsStr| (name == "JAVA_TOOL_OPTIONS").then(|| theirs.clone()).flatten();
            let variables = JavaRecorder.environment(Path::new(path), false, &inherited);
            variables.into_iter().map(|(_, value)| value).collect::<Vec<_>>()
        };
        assert_eq!(with("/a", None), ["-javaagent:/a/deadweight-recorder.jar", "16"]);
        assert_eq!(with("/a", Some("")), with("/a", None));
        assert_eq!(
            with("/a b", Some("-Xmx1g"))[0],
            "\"-javaagent:/a b/deadweight-recorder.jar\" -Xmx1g"
        );
        assert_eq!(
            with("/a\"b", None)[0],
            "'-javaagent:/a\"b/deadweight-recorder.jar'"
        );
        for unsayable in ["/a=b", "/a\"'b"] {
            assert_eq!(with(unsayable, None).len(), 0, "{unsayable}");
        }
        let moved = |_: &OsStr| Some(OsString::from("12"));
        assert_eq!(JavaRecorder.environment(Path::new("/a"), false, &moved).len(), 1);
    }

    #[test]
    fn an_image_says_of_which_modules_it_is() {
        let image = tempfile::tempdir().unwrap();
        let java = image.path().join("bin/java");
        fs::create_dir(image.path().join("bin")).unwrap();
        fs::write(&java, "").unwrap();
        let lacks = |release: &str| {
            fs::write(image.path().join("release"), release).unwrap();
            lacks_instrument(java.as_os_str())
        };
        assert!(lacks("JAVA_VERSION=\"17\"\nMODULES=\"java.base java.logging\"\n"));
        assert!(!lacks("MODULES=\"java.base java.instrument\"\n"));
        assert!(!lacks("JAVA_VERSION=\"1.8.0\"\n"));
        assert!(!lacks_instrument(OsStr::new("no such program")));
    }
}
