//! What failing tests said, out of all that `cargo test` prints: the end of a long log is what people look at first.

/// Lines of a test that are kept: its panic comes first, what it found after that may be of any length.
const LINES_OF_A_TEST: usize = 15;

/// Lines that are kept of all tests.
const LINES: usize = 300;

/// How long a kept line may be, in characters.
const LINE: usize = 400;

/// Names of the tests that failed, the first lines of what each said, and what cargo says of their binaries.
#[derive(Debug, Default)]
pub struct Failures {
    kept: Vec<String>,
    /// Lines of the test at hand that may still be kept; none outside of a list of failures.
    room: usize,
}

impl Failures {
    /// Looks at one more line of the output.
    pub fn line(&mut self, line: &str) {
        if line.starts_with("---- ") {
            self.room = LINES_OF_A_TEST;
        } else if line == "failures:" || line.starts_with("test result:") {
            self.room = 0;
        }
        // A binary that a signal ends lists no test; cargo names the signal below its error.
        let of_cargo = ["error", "Caused by:", "  process didn't", "    `-p "];
        let is_cargos = || of_cargo.iter().any(|start| line.starts_with(start));
        if self.kept.len() < LINES && (self.room > 0 || is_cargos()) {
            self.kept.push(line.chars().take(LINE).collect());
        }
        self.room = self.room.saturating_sub(1);
    }

    /// All that was kept.
    pub fn report(&self) -> String {
        self.kept.join("\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(output: &str) -> String {
        let mut failures = Failures::default();
        output.lines().for_each(|line| failures.line(line));
        failures.report()
    }

    #[test]
    fn names_and_panics_of_tests_are_kept_and_the_rest_is_not() {
        let long = "of no use\n".repeat(100);
        let output = format!(
            "running 3 tests\n.FF\nfailures:\n\n---- first stdout ----\n{long}\n---- second stdout ----\npanicked\n\n\
             failures:\n    first\n    second\n\ntest result: FAILED. 1 passed; 2 failed\n\nrunning 1 test\n.\n\
             error: 1 target failed:\n    `-p one --lib`\n"
        );
        let text = report(&output);
        for kept in [
            "---- first",
            "---- second",
            "panicked",
            "error: 1 target",
            "`-p one",
        ] {
            assert!(text.contains(kept), "{kept} in {text}");
        }
        for left in ["running", "test result", "    first"] {
            assert!(!text.contains(left), "{left} in {text}");
        }
        assert_eq!(text.matches("of no use").count(), LINES_OF_A_TEST - 1);
    }

    #[test]
    fn a_binary_that_a_signal_ends_is_reported_as_cargo_shows_it() {
        let output = "running 2 tests\n.error: test failed, to rerun pass `-p one`\n\nerror: test failed\n\nCaused by:\n  \
                      process didn't exit successfully: `one` (signal: 11)\n";
        assert!(report(output).ends_with("(signal: 11)"));
    }
}
