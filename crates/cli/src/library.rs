//! `deadweight library`.

use std::os::unix::ffi::OsStringExt;
use std::process::ExitCode;

use deadweight_capture::{java_library, native_library, python_library, ruby_library};

use crate::arguments::{Library, Recorded};
use crate::output;

/// Unpacks a library that records programs, and prints where it is.
pub fn library(arguments: &Library) -> anyhow::Result<ExitCode> {
    let path = match arguments.of {
        Recorded::Native => native_library()?,
        Recorded::Ruby => ruby_library()?,
        Recorded::Java => java_library()?,
        Recorded::Python => python_library()?,
    };
    let mut line = path.into_os_string().into_vec();
    line.push(b'\n');
    output::deliver(&line, None)?;
    Ok(ExitCode::SUCCESS)
}
