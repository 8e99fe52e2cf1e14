//! Whether something may be installed outside of the project's folder: a machine belongs to its user, who is asked.

use std::collections::BTreeSet;
use std::env;
use std::io::{self, BufRead, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use anyhow::bail;

/// The flag that answers yes.
pub const FLAG: &str = "--install";

static GIVEN: AtomicBool = AtomicBool::new(false);

/// What somebody said yes to.
static AGREED: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());

/// What is done before something is installed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// It is installed.
    Install,
    /// Somebody is asked.
    Ask,
    /// There is nobody to ask: it is not installed.
    Refuse,
}

/// By the flag, by whether a machine of CI runs this, and by whether somebody sits at a terminal.
pub fn decide(flag: bool, is_ci: bool, is_terminal: bool) -> Decision {
    match (flag || is_ci, is_terminal) {
        (true, _) => Decision::Install,
        (false, true) => Decision::Ask,
        (false, false) => Decision::Refuse,
    }
}

/// The flag was there: nobody is asked.
pub fn give() {
    GIVEN.store(true, Ordering::Relaxed);
}

/// Asks whether all of this may be installed, `how` being the command without their names; what was agreed to once is
/// not asked for again.
///
/// # Errors
/// When it may not.
pub fn ask(what: &[&str], how: &str) -> anyhow::Result<()> {
    let mut agreed = AGREED.lock().unwrap_or_else(PoisonError::into_inner);
    let new: Vec<&str> = what
        .iter()
        .copied()
        .filter(|name| !agreed.contains(*name))
        .collect();
    if new.is_empty() {
        return Ok(());
    }
    let shown = new.join(" ");
    let is_ci = is_set(env::var("CI").ok().as_deref());
    let is_terminal = io::stdin().is_terminal() && io::stderr().is_terminal();
    match decide(GIVEN.load(Ordering::Relaxed), is_ci, is_terminal) {
        Decision::Install => {}
        Decision::Ask => {
            eprint!("This would be installed: {how} {shown}\nInstall it? [y/N] ");
            io::stderr().flush()?;
            let mut answer = String::new();
            io::stdin().lock().read_line(&mut answer)?;
            if !is_yes(&answer) {
                bail!("not installed, and needed: {shown}");
            }
        }
        Decision::Refuse => bail!("missing: {shown}; with {FLAG} they are installed ({how})"),
    }
    agreed.extend(new.into_iter().map(str::to_owned));
    Ok(())
}

/// Machines of CI set the variable to some word.
fn is_set(variable: Option<&str>) -> bool {
    variable.is_some_and(|value| !matches!(value, "" | "0" | "false"))
}

fn is_yes(answer: &str) -> bool {
    matches!(answer.trim().to_lowercase().as_str(), "y" | "yes")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_flag_and_ci_install_without_a_question() {
        for is_terminal in [true, false] {
            assert_eq!(decide(true, false, is_terminal), Decision::Install);
            assert_eq!(decide(false, true, is_terminal), Decision::Install);
            assert_eq!(decide(true, true, is_terminal), Decision::Install);
        }
        assert_eq!(decide(false, false, true), Decision::Ask);
        assert_eq!(decide(false, false, false), Decision::Refuse);
    }

    #[test]
    fn only_a_yes_is_one() {
        assert!(is_yes("y\n") && is_yes(" Yes \n"));
        for answer in ["", "\n", "n\n", "no\n", "yellow\n"] {
            assert!(!is_yes(answer), "{answer:?}");
        }
    }

    #[test]
    fn ci_is_a_variable_with_a_word_in_it() {
        assert!(is_set(Some("true")) && is_set(Some("1")) && is_set(Some("woodpecker")));
        assert!(!is_set(None) && !is_set(Some("")) && !is_set(Some("false")) && !is_set(Some("0")));
    }
}
