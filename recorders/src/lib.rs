//! What is loaded into programs, carried by the `deadweight` binary: the recorders of runtimes as their files, those of
//! native code as compiled libraries.

mod files;
mod library;

pub use files::{EmbeddedFile, JAVA, NODE, PYTHON, RUBY};
pub use library::{JAVA_LIBRARY, Library, NATIVE_LIBRARY, PYTHON_LIBRARY, RUBY_LIBRARY};
