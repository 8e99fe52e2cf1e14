//! What a dump says of its process, in JSON.

use serde::{Deserialize, Serialize};

/// The header. A key that is missing is not known; those that the reader does not know are left out by [`super::strip`].
#[derive(Clone, Debug, Default, Deserialize, Serialize, PartialEq)]
#[serde(default)]
pub(super) struct Header {
    /// Major, minor and micro version.
    pub(super) python: Vec<u32>,
    /// What made the recorder write: `exit`, `peak` and so on.
    pub(super) moment: String,
    pub(super) process: u64,
    pub(super) parent: u64,
    pub(super) program: String,
    pub(super) unix_ms: u64,
    /// Blocks in use as the interpreter counts them, large ones included.
    pub(super) blocks: u64,
    pub(super) allocator: Pools,
    pub(super) resident_bytes: Option<u64>,
    /// Folders of modules that are not the program's.
    pub(super) standard_library: Folders,
    pub(super) site_packages: Folders,
    /// The interpreter's own table of texts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) interned: Option<Interned>,
}

/// The interpreter's own table of texts, and how full it is.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize, PartialEq)]
#[serde(default)]
pub(super) struct Interned {
    pub(super) row: u32,
    pub(super) entries: u64,
    pub(super) free: u64,
    pub(super) slots: u64,
}

impl Interned {
    /// Whether a table may be so full.
    pub(super) const fn is_possible(self) -> bool {
        const MOST: u64 = 1 << 40;
        let is_size = self.slots.is_power_of_two() && self.slots <= MOST;
        is_size && self.entries <= self.slots && self.free <= self.slots
    }
}

/// What the interpreter's allocator counts.
#[derive(Clone, Debug, Default, Deserialize, Serialize, PartialEq)]
#[serde(default)]
pub(super) struct Pools {
    pub(super) name: String,
    #[serde(rename = "pools")]
    pub(super) count: u64,
    /// Blocks in use in pools, and their bytes.
    pub(super) pool_blocks: u64,
    pub(super) pool_block_bytes: u64,
    /// Of these, the blocks of the objects shown.
    pub(super) object_blocks: u64,
    pub(super) object_block_bytes: u64,
    /// Headers of pools, free blocks and rests.
    pub(super) unused_bytes: u64,
}

/// One folder, or several.
#[derive(Clone, Debug, Deserialize, Serialize, PartialEq)]
#[serde(untagged)]
pub(super) enum Folders {
    One(String),
    Several(Vec<String>),
}

impl Default for Folders {
    fn default() -> Self {
        Self::Several(Vec::new())
    }
}

impl Folders {
    /// All of them.
    pub(super) fn all(&self) -> &[String] {
        match self {
            Self::One(folder) => std::slice::from_ref(folder),
            Self::Several(folders) => folders,
        }
    }

    /// Each folder as `made` makes it.
    pub(super) fn each(&self, mut made: impl FnMut(&str) -> String) -> Self {
        match self {
            Self::One(folder) => Self::One(made(folder)),
            Self::Several(folders) => Self::Several(folders.iter().map(|folder| made(folder)).collect()),
        }
    }
}

impl Header {
    /// The minor version, 12 for 3.12; 0 when the dump does not tell.
    pub(super) fn minor(&self) -> u8 {
        let minor = self.python.get(1).and_then(|&minor| u8::try_from(minor).ok());
        minor.unwrap_or_default()
    }

    /// The version as people write it; empty when unknown.
    pub(super) fn version(&self) -> String {
        let numbers: Vec<String> = self.python.iter().map(u32::to_string).collect();
        numbers.join(".")
    }

    /// Whether a file lies in the standard library or among installed packages.
    pub(super) fn is_library_file(&self, file: &str) -> bool {
        is_in_one(file, self.standard_library.all()) || self.is_installed_file(file)
    }

    /// Whether a file lies among installed packages.
    pub(super) fn is_installed_file(&self, file: &str) -> bool {
        is_in_one(file, self.site_packages.all())
    }
}

fn is_in_one(file: &str, folders: &[String]) -> bool {
    folders.iter().any(|folder| is_inside(file, folder))
}

/// Whether a file lies in a folder.
pub(super) fn is_inside(file: &str, folder: &str) -> bool {
    let folder = folder.trim_end_matches(['/', '\\']);
    let rest = file.strip_prefix(folder);
    !folder.is_empty() && rest.is_some_and(|rest| rest.starts_with(['/', '\\']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_lie_in_folders_by_whole_names() {
        let header: Header = serde_json::from_str(
            r#"{"python": [3, 12, 1], "standard_library": "/lib/python3.12", "site_packages": ["/venv/site-packages/"]}"#,
        )
        .unwrap();
        assert_eq!(header.version(), "3.12.1");
        for (file, is_library) in [
            ("/lib/python3.12/json/decoder.py", true),
            ("/lib/python3.12-app/main.py", false),
            ("/venv/site-packages/pandas/__init__.py", true),
            ("/srv/app.py", false),
            ("", false),
        ] {
            assert_eq!(header.is_library_file(file), is_library, "{file}");
        }
    }
}
