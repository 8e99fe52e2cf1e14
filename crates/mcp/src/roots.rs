//! Where files may be read.

use std::fs;
use std::path::{Component, Path, PathBuf};

use crate::Refused;

/// Characters of a path that are shown.
const SHOWN: usize = 200;

/// More files than this no capture has.
const MOST_FILES: usize = 10_000;

/// Folders that the user has named, with all that is in them. A path is taken as the system takes it, links and all, and
/// then held against the folders: what leads out of them is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Roots(Vec<PathBuf>);

impl Roots {
    /// The folders with these names.
    ///
    /// # Errors
    /// [`Refused::Root`] when one is not there or no folder.
    pub fn new(folders: &[PathBuf]) -> Result<Self, Refused> {
        let roots = folders.iter().map(|folder| {
            let refused = |error| Refused::Root(folder.display().to_string(), error);
            let root = folder.canonicalize().map_err(refused)?;
            if !root.is_dir() {
                return Err(refused(std::io::ErrorKind::NotADirectory.into()));
            }
            Ok(root)
        });
        roots.collect::<Result<_, _>>().map(Self)
    }

    /// The folders, without links.
    #[must_use]
    pub fn folders(&self) -> &[PathBuf] {
        &self.0
    }

    /// The first of them, from which relative names are looked up first.
    #[must_use]
    pub fn first(&self) -> &Path {
        self.0.first().map_or(Path::new("."), PathBuf::as_path)
    }

    /// The file or folder of that name: relative to a root, or absolute below one.
    ///
    /// # Errors
    /// [`Refused::Outside`] for a name that leads out of the roots, whether or not something is there,
    /// [`Refused::Missing`] for one within at which nothing is, [`Refused::NoFile`] for pipes and devices, and
    /// [`Refused::TooMany`] for a folder with more files than a capture.
    pub fn resolve(&self, name: &str) -> Result<PathBuf, Refused> {
        let shown = || shown(name);
        let path = Path::new(name);
        let is_odd = |part: Component<'_>| matches!(part, Component::ParentDir | Component::Prefix(_));
        if name.contains('\0') || path.components().any(is_odd) {
            return Err(Refused::Outside(shown()));
        }
        if name.is_empty() {
            return Err(Refused::Missing(shown()));
        }
        let mut candidates = self.0.iter().map(|root| root.join(path));
        if path.is_absolute() && !self.0.iter().any(|root| path.starts_with(root)) {
            // By a link of the user's own the same folder may have another name.
            let real = path.canonicalize().ok().filter(|real| self.holds(real));
            return real.map_or(Err(Refused::Outside(shown())), |real| self.checked(real, name));
        }
        let found = candidates.find_map(|path| path.canonicalize().ok());
        match found {
            None => Err(Refused::Missing(shown())),
            Some(real) if self.holds(&real) => self.checked(real, name),
            Some(_) => Err(Refused::Outside(shown())),
        }
    }

    /// Whether a path without links is in a root.
    fn holds(&self, real: &Path) -> bool {
        self.0.iter().any(|root| real.starts_with(root))
    }

    /// Whether a file is there that may be read, whatever links lead to it.
    #[must_use]
    pub fn may_read(&self, path: &Path) -> bool {
        path.canonicalize()
            .is_ok_and(|real| self.holds(&real) && real.is_file())
    }

    fn checked(&self, real: PathBuf, name: &str) -> Result<PathBuf, Refused> {
        let facts = fs::metadata(&real).map_err(|_| Refused::Missing(shown(name)))?;
        if facts.is_dir() {
            let mut left = MOST_FILES;
            self.check_links(&real, name, &mut left)?;
        } else if !facts.is_file() {
            return Err(Refused::NoFile(shown(name)));
        }
        Ok(real)
    }

    /// A capture is a folder of files, and so is a folder of captures: none of them may be a link that leads out.
    fn check_links(&self, folder: &Path, name: &str, left: &mut usize) -> Result<(), Refused> {
        let entries = fs::read_dir(folder).map_err(|_| Refused::Missing(shown(name)))?;
        for entry in entries.flatten() {
            *left = left
                .checked_sub(1)
                .ok_or_else(|| Refused::TooMany(shown(name), MOST_FILES))?;
            let Ok(kind) = entry.file_type() else { continue };
            let path = entry.path();
            if kind.is_symlink() {
                let leads_out = path.canonicalize().is_ok_and(|real| !self.holds(&real));
                if leads_out {
                    return Err(Refused::Outside(shown(name)));
                }
            } else if kind.is_dir() && is_of_captures(&path) {
                self.check_links(&path, name, left)?;
            }
        }
        Ok(())
    }

    /// A path as answers name it: relative to a root where it is in one, else its last part alone.
    #[must_use]
    pub fn shown(&self, path: &Path) -> String {
        let below = self.0.iter().find_map(|root| path.strip_prefix(root).ok());
        let last = || path.file_name().map(Path::new);
        let shown = below.filter(|below| below.as_os_str() != "").or_else(last);
        shown.unwrap_or(Path::new(".")).to_string_lossy().into_owned()
    }

    /// A sentence in which the roots are cut off paths.
    #[must_use]
    pub fn without_roots(&self, text: &str) -> String {
        self.0.iter().fold(text.to_owned(), |text, root| {
            text.replace(&format!("{}/", root.display()), "")
        })
    }
}

/// Folders that are read below the one that is named: captures, and where captures hide.
fn is_of_captures(path: &Path) -> bool {
    let name = path
        .file_name()
        .and_then(|name| name.to_str())
        .unwrap_or_default();
    path.extension().is_some_and(|end| end == "deadweight") || name == ".nodemon"
}

fn shown(name: &str) -> String {
    let mut shown: String = deadweight_weighing::harmless(name).chars().take(SHOWN).collect();
    if name.chars().nth(SHOWN).is_some() {
        shown.push('…');
    }
    shown
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use proptest::prelude::*;

    use super::*;

    struct Place {
        folder: tempfile::TempDir,
        roots: Roots,
    }

    /// A root with a file, a link within, a link out, and a neighbour whose name begins as the root's does.
    fn place() -> Place {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        for name in ["root", "root/capture.deadweight", "root-neighbour"] {
            fs::create_dir(at(name)).unwrap();
        }
        for name in ["root/dump", "secret", "root-neighbour/dump"] {
            fs::write(at(name), "x").unwrap();
        }
        symlink(at("root/dump"), at("root/within")).unwrap();
        symlink(at("secret"), at("root/out")).unwrap();
        symlink("..", at("root/up")).unwrap();
        symlink("loop", at("root/loop")).unwrap();
        symlink(at("root"), at("another-name")).unwrap();
        let roots = Roots::new(&[at("root")]).unwrap();
        Place { folder, roots }
    }

    #[test]
    fn what_is_below_a_root_is_found_by_either_name() {
        let Place { folder, roots } = place();
        let dump = folder.path().canonicalize().unwrap().join("root/dump");
        for name in ["dump", "./dump", "within"] {
            assert_eq!(roots.resolve(name).unwrap(), dump, "{name}");
        }
        for name in ["root/dump", "another-name/dump"] {
            let name = folder.path().join(name);
            assert_eq!(roots.resolve(name.to_str().unwrap()).unwrap(), dump);
        }
        assert_eq!(roots.shown(&dump), "dump");
    }

    #[test]
    fn what_leads_out_is_refused_and_says_nothing_of_what_is_there() {
        let Place { folder, roots } = place();
        let absolute = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
        for name in [
            "../secret".to_owned(),
            "capture.deadweight/../../secret".to_owned(),
            "out".to_owned(),
            "up/secret".to_owned(),
            absolute("secret"),
            absolute("root-neighbour/dump"),
            absolute("nothing"),
            "/etc/passwd".to_owned(),
            "/proc/self/environ".to_owned(),
            "/dev/stdin".to_owned(),
            "dump\0".to_owned(),
        ] {
            let refused = roots.resolve(&name);
            assert!(matches!(refused, Err(Refused::Outside(_))), "{name}: {refused:?}");
        }
        for name in ["-", "", "loop", "nothing", "dump/x", "~/.ssh/id_rsa"] {
            let refused = roots.resolve(name);
            assert!(matches!(refused, Err(Refused::Missing(_))), "{name}: {refused:?}");
        }
    }

    #[test]
    fn a_capture_with_a_link_that_leads_out_is_refused() {
        let Place { folder, roots } = place();
        assert!(roots.resolve("capture.deadweight").is_ok());
        let capture = folder.path().join("root/capture.deadweight");
        symlink(folder.path().join("secret"), capture.join("heap.heapsnapshot")).unwrap();
        assert!(matches!(
            roots.resolve("capture.deadweight"),
            Err(Refused::Outside(_))
        ));
        // The folder around it is read, too: the latest capture there is meant.
        assert!(matches!(roots.resolve("."), Err(Refused::Outside(_))));
    }

    #[test]
    fn pipes_are_no_files() {
        let Place { folder, roots } = place();
        let path = folder.path().join("root/pipe");
        let made = std::process::Command::new("mkfifo").arg(&path).status().unwrap();
        assert!(made.success());
        assert!(matches!(roots.resolve("pipe"), Err(Refused::NoFile(_))));
        assert!(!roots.may_read(&path));
    }

    proptest! {
        #[test]
        fn no_name_leads_out(name in "([./]|\\.\\.|root|up|out|secret|within|\\PC){0,12}") {
            let Place { roots, .. } = place();
            if let Ok(path) = roots.resolve(&name) {
                prop_assert!(roots.holds(&path));
            }
        }
    }
}
