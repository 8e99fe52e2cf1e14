//! Python's heap, as the recorder for `CPython` writes it.

pub mod layout;

pub use layout::PythonLayout;
