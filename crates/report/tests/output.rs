//! An output that takes no more is told apart from other failures.

mod support;

use std::io::{self, ErrorKind, Write};

use deadweight_report::{Json, Look, Report, Terminal, WriteError};

/// What is left of a pipe whose reader has gone away.
struct Gone;

impl Write for Gone {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        Err(ErrorKind::BrokenPipe.into())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_reader_that_left_is_no_other_error() {
    let terminal = Terminal::new(Look {
        width: 80,
        colour: false,
    });
    let reports: [&dyn Report; 2] = [&Json, &terminal];
    for report in reports {
        match report.write(&support::rich(), &mut Gone) {
            Err(WriteError::Output(error)) => assert_eq!(error.kind(), ErrorKind::BrokenPipe),
            other => panic!("{other:?}"),
        }
    }
}
