//! What a fix costs or gains in CPU time.

use anyhow::Context;
use serde::{Deserialize, Serialize};

use crate::compare::{Row, median};
use crate::manifest::Case;
use deadweight_tools::cpu;
use deadweight_tools::shell::Shell;

/// Pairs of runs: the machine's speed drifts, so that only neighbours are compared.
const ROUNDS: usize = 5;

/// User and system time of a whole run before and after a fix, in seconds.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
pub struct Cpu {
    /// The median before the fix.
    pub before: f64,
    /// The median with it.
    pub after: f64,
    /// The median of the changes of neighbouring runs, as a share of the one before the fix.
    pub change: f64,
    /// Whether all pairs changed in the same direction; else it is noise that was measured.
    #[serde(default)]
    pub is_clear: bool,
}

/// Runs two programs in turns.
///
/// # Errors
/// When one fails.
pub fn compare(before: impl Fn() -> Shell, after: impl Fn() -> Shell) -> anyhow::Result<Cpu> {
    let mut pairs = Vec::new();
    for _ in 0..ROUNDS {
        pairs.push((seconds(before())?, seconds(after())?));
    }
    Ok(Cpu::of(&pairs))
}

/// Notes on each row what its fix costs; `program` makes a command of the case ready to run without a recorder.
///
/// # Errors
/// When a program fails.
pub fn time(rows: &mut [Row], case: &Case, program: impl Fn(&[String]) -> Shell) -> anyhow::Result<()> {
    for row in rows {
        let fix = case.fixes.iter().find(|fix| fix.name == row.name);
        let fix = fix.with_context(|| format!("no fix is called {}", row.name))?;
        let before = fix.before.as_ref().unwrap_or(&case.before.command);
        row.cpu = Some(compare(|| program(before), || program(&fix.command))?);
    }
    Ok(())
}

fn seconds(program: Shell) -> anyhow::Result<f64> {
    let begun = cpu::of_children()?;
    program.output()?;
    Ok(cpu::of_children()?.saturating_sub(begun).as_secs_f64())
}

impl Cpu {
    /// The medians of runs before and after the fix, in seconds.
    fn of(pairs: &[(f64, f64)]) -> Self {
        let middle = |of: fn(&(f64, f64)) -> f64| {
            median(&pairs.iter().map(of).collect::<Vec<_>>()).unwrap_or(f64::NAN)
        };
        Self {
            before: middle(|pair| pair.0),
            after: middle(|pair| pair.1),
            change: middle(|pair| pair.1 / pair.0 - 1.0),
            is_clear: pairs.iter().all(|pair| pair.1 > pair.0) || pairs.iter().all(|pair| pair.1 < pair.0),
        }
    }

    /// As a cell of a table.
    pub fn shown(&self) -> String {
        if !self.is_clear {
            return format!("within noise ({:.2} s)", self.before);
        }
        format!("{:+.0} % ({:.2} s)", self.change * 100.0, self.before).replace('-', "−")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_neighbours_are_compared() {
        // The machine is half as fast in the second round.
        let cpu = Cpu::of(&[(1.0, 1.5), (2.0, 3.0), (1.0, 1.5)]);
        assert!((cpu.change - 0.5).abs() < 1e-9, "{cpu:?}");
        assert!((cpu.before - 1.0).abs() < 1e-9, "{cpu:?}");
        assert!(cpu.is_clear);
    }

    #[test]
    fn pairs_that_disagree_show_no_change() {
        let cpu = Cpu::of(&[(1.0, 1.5), (1.0, 0.9), (1.0, 1.5)]);
        assert_eq!(cpu.shown(), "within noise (1.00 s)");
    }

    #[test]
    fn a_program_that_fails_has_no_time() {
        assert!(compare(|| Shell::new("true"), || Shell::new("false")).is_err());
    }

    #[test]
    fn a_gain_is_shown_with_its_sign() {
        let cpu = Cpu {
            before: 4.0,
            after: 3.0,
            change: -0.25,
            is_clear: true,
        };
        assert_eq!(cpu.shown(), "−25 % (4.00 s)");
    }
}
