//! Steps of a test run: none stops those after it.

use std::time::Instant;

/// What became of the steps.
#[derive(Debug, Default)]
pub(super) struct Steps {
    passed: usize,
    /// Those that failed, and why.
    failed: Vec<(String, String)>,
}

impl Steps {
    pub(super) fn run(&mut self, name: &str, step: impl FnOnce() -> anyhow::Result<()>) {
        println!("\n=== {name}");
        let start = Instant::now();
        let result = step();
        let seconds = start.elapsed().as_secs();
        match result {
            Ok(()) => {
                println!("=== {name}: passed in {seconds} s");
                self.passed += 1;
            }
            Err(error) => {
                println!("=== {name}: FAILED after {seconds} s: {error:#}");
                self.failed.push((name.to_owned(), format!("{error:#}")));
            }
        }
    }

    pub(super) fn sum_up(&self) -> bool {
        println!();
        for (name, why) in &self.failed {
            println!("failed: {name}: {why}");
        }
        println!("{} passed, {} failed", self.passed, self.failed.len());
        self.failed.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_step_fails_all_but_stops_none() {
        let mut steps = Steps::default();
        steps.run("first", || anyhow::bail!("broken"));
        steps.run("second", || Ok(()));
        assert_eq!(
            (steps.passed, steps.failed.as_slice()),
            (1, &[("first".to_owned(), "broken".to_owned())][..])
        );
        assert!(!steps.sum_up());
    }
}
