//! Whose code a file is, by its path.

use std::path::Path;

use deadweight_heap::churn::Role;

/// Directories that package managers fill.
const INSTALLED: [&str; 12] = [
    "/lib/ruby/vendor_ruby/",
    "/node_modules/",
    "/gems/",
    "/bundler/",
    "/vendor/bundle/",
    "/site-packages/",
    "/dist-packages/",
    "/.cargo/registry/",
    "/.cargo/git/",
    "/.yarn/",
    "/.m2/",
    "/.gradle/",
];

/// What stands in for a path where the engine has none, and where languages keep their own library.
const OWN_LIBRARY: [&str; 5] = ["node:", "internal/", "<internal:", "evalmachine.", "native "];
const LOADERS: [&str; 2] = ["/vendor_ruby/rubygems", "/vendor_ruby/bundler"];
const OWN_LIBRARIES: [&str; 7] = [
    "/lib/ruby/3",
    "/lib/ruby/2",
    "/lib/ruby/1",
    "/share/crystal/src/",
    "/lib/crystal/",
    "/lib/python3",
    "/rustlib/src/",
];

/// Where recorders are installed: what they make is nothing a person can change.
const RECORDER: &str = "/deadweight-recorder-";

/// Whether a path is one that stands for the engine's own scripts.
pub(crate) fn is_own_library(file: &str) -> bool {
    OWN_LIBRARY.iter().any(|start| file.starts_with(start))
}

/// Pieces of paths by which whose code it is and whether it writes logs is recognized.
pub(crate) fn revealing_pieces() -> impl Iterator<Item = &'static str> {
    let own = INSTALLED.into_iter().chain(OWN_LIBRARIES);
    own.chain([RECORDER]).chain(super::logs::LIBRARIES)
}

/// Whose code a file is. `root` is the directory of the program, empty when unknown. A dependency that lies below it
/// is still a dependency; a file elsewhere is the program's own, as scripts are run from anywhere.
pub(crate) fn role(file: &str, root: &str) -> Role {
    let is_recorder = file.contains(RECORDER);
    // Newer versions of Ruby say where the text was put together.
    if let Some(at) = file.strip_prefix("(eval at ").and_then(|at| at.strip_suffix(')')) {
        return role(at.rsplit_once(':').map_or(at, |(path, _)| path), root);
    }
    if is_recorder || file == "(eval)" || file.is_empty() || file.starts_with('<') || is_own_library(file) {
        return Role::Runtime;
    }
    let slashed = if file.starts_with('/') {
        file.to_owned()
    } else {
        format!("/{file}")
    };
    // A library that was loaded has no source, and Ruby's own loader lies among what others installed.
    let extension = Path::new(file)
        .extension()
        .and_then(|extension| extension.to_str());
    let is_dependency = INSTALLED.iter().any(|inside| slashed.contains(inside));
    if (!is_dependency && matches!(extension, Some("so" | "bundle" | "dll" | "dylib")))
        || LOADERS.iter().any(|inside| slashed.contains(inside))
    {
        return Role::Runtime;
    }
    if is_dependency {
        return Role::Library;
    }
    if is_start_script(file, root) {
        return Role::Library;
    }
    // Shards of Crystal are installed into the program's own `lib`.
    let below = file.strip_prefix(root.trim_end_matches('/')).unwrap_or(file);
    if below.trim_start_matches('/').starts_with("lib/")
        && Path::new(file)
            .extension()
            .is_some_and(|extension| extension == "cr")
    {
        return Role::Library;
    }
    if OWN_LIBRARIES.iter().any(|inside| slashed.contains(inside)) {
        return Role::Runtime;
    }
    Role::Own
}

/// Whether a file is a program that is installed, as `/usr/local/bin/rake`: package managers write these, to start what
/// lies in a dependency. What lies below the program's directory is its own.
fn is_start_script(file: &str, root: &str) -> bool {
    let root = root.trim_end_matches('/');
    let is_below = !root.is_empty() && Path::new(file).starts_with(root);
    let is_in_bin = || {
        let directory = Path::new(file).parent().and_then(Path::file_name);
        directory.is_some_and(|name| name == "bin" || name == "exe")
    };
    file.starts_with('/') && !is_below && Path::new(file).extension().is_none() && is_in_bin()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_show_whose_code_it_is() {
        for (file, expected) in [
            ("", Role::Runtime),
            ("node:internal/fs", Role::Runtime),
            ("<internal:kernel>", Role::Runtime),
            ("(eval)", Role::Runtime),
            ("(eval at /srv/app/lib/client.rb:3)", Role::Own),
            (
                "(eval at /var/lib/gems/3.3.0/gems/racc-1.8/parser.rb:3)",
                Role::Library,
            ),
            ("/usr/lib/ruby/3.1.0/logger.rb", Role::Runtime),
            (
                "/home/u/.cache/deadweight/deadweight-recorder-node-1/arm.cjs",
                Role::Runtime,
            ),
            ("/usr/share/crystal/src/log/log.cr", Role::Runtime),
            ("/srv/app/node_modules/express/lib/router.js", Role::Library),
            ("node_modules/a/b.js", Role::Library),
            ("/var/lib/gems/3.1.0/gems/rack-2.2.4/lib/rack.rb", Role::Library),
            ("/srv/app/lib/memcached/src/client.cr", Role::Library),
            ("/srv/app/lib/client.rb", Role::Own),
            ("/srv/app/src/client.cr", Role::Own),
            ("/tmp/script.js", Role::Own),
            ("/usr/local/bin/rake", Role::Library),
            ("/usr/lib/ruby/vendor_ruby/rake/task.rb", Role::Library),
            ("/usr/lib/ruby/vendor_ruby/rubygems.rb", Role::Runtime),
            ("/usr/lib/x86_64-linux-gnu/ruby/3.1.0/psych.so", Role::Runtime),
            ("/var/lib/gems/3.1.0/gems/ox-2.1/ox.so", Role::Library),
            ("/home/u/.local/share/gem/ruby/3.1.0/bin/rake", Role::Library),
            ("/srv/app/bin/rails", Role::Own),
            ("bin/rails", Role::Own),
            ("/home/u/bin/report.rb", Role::Own),
        ] {
            assert_eq!(role(file, "/srv/app"), expected, "{file}");
        }
    }
}
