//! The libraries that `build.rs` compiled.

use std::io::{self, Read};

use flate2::read::GzDecoder;

/// A shared library, compressed.
#[derive(Clone, Copy, Debug)]
pub struct Library {
    /// The name of its file, by which dumps know it.
    pub name: &'static str,
    packed: &'static [u8],
}

/// Records the blocks of native programs, and what programs of Crystal make.
pub const NATIVE_LIBRARY: Library = Library {
    name: "libdeadweight_recorder.so",
    packed: include_bytes!(concat!(env!("OUT_DIR"), "/native.gz")),
};

/// Records what programs on a Java virtual machine make.
pub const JAVA_LIBRARY: Library = Library {
    name: "libdeadweight_java.so",
    packed: include_bytes!(concat!(env!("OUT_DIR"), "/java.gz")),
};

/// Writes the heap of Python programs.
pub const PYTHON_LIBRARY: Library = Library {
    name: "libdeadweight_python.so",
    packed: include_bytes!(concat!(env!("OUT_DIR"), "/python.gz")),
};

/// Records what programs of Ruby make.
pub const RUBY_LIBRARY: Library = Library {
    name: "libdeadweight_ruby.so",
    packed: include_bytes!(concat!(env!("OUT_DIR"), "/ruby.gz")),
};

impl Library {
    /// The library as it is loaded; `None` where it was not compiled for this system.
    ///
    /// # Errors
    /// When what the binary carries is damaged, as its checksum says.
    pub fn bytes(&self) -> io::Result<Option<Vec<u8>>> {
        if self.packed.is_empty() {
            return Ok(None);
        }
        let mut bytes = Vec::new();
        GzDecoder::new(self.packed).read_to_end(&mut bytes)?;
        Ok(Some(bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_libraries_are_carried_where_there_are_recorders() {
        let is_recorded = cfg!(all(
            target_os = "linux",
            target_env = "gnu",
            any(target_arch = "x86_64", target_arch = "aarch64")
        ));
        for (library, function) in [
            (NATIVE_LIBRARY, "malloc_usable_size"),
            (JAVA_LIBRARY, "JNI_OnLoad"),
            (PYTHON_LIBRARY, "deadweight_python_take"),
            (RUBY_LIBRARY, "deadweight_churn_start"),
        ] {
            let bytes = library.bytes().unwrap();
            assert_eq!(bytes.is_some(), is_recorded, "{}", library.name);
            if let Some(bytes) = bytes {
                assert!(bytes.starts_with(b"\x7fELF"), "{}", library.name);
                let mut names = bytes.windows(function.len());
                assert!(names.any(|name| name == function.as_bytes()), "{}", library.name);
            }
        }
    }

    #[test]
    fn a_damaged_one_is_refused() {
        let mut packed = RUBY_LIBRARY.packed.to_vec();
        let Some(last) = packed.len().checked_sub(8) else {
            return;
        };
        packed[last] ^= 1;
        let damaged = Library {
            name: RUBY_LIBRARY.name,
            packed: packed.leak(),
        };
        assert!(damaged.bytes().is_err());
    }
}
