//! What a case demands besides predictions: findings, ends, and other figures.

use anyhow::Context;
use deadweight_weighing::Finding;
use serde_json::Value;

use super::play::{Play, Said};
use crate::compare::{Failure, check_must_find, check_must_not_find, is_rule, median};
use crate::manifest::{Demand, Expectation};

/// How often a time is measured: other programs take from it.
const ROUNDS: usize = 7;

impl Play<'_> {
    pub(super) fn check_findings(&mut self) -> anyhow::Result<()> {
        let case = self.case;
        let before = self.weighed(&case.before.command, None)?;
        let offered = before.weighing.findings.iter().chain(&before.weighing.options);
        let found: Vec<Finding> = offered.cloned().collect();
        let output = before.output.clone();
        for wanted in &case.must_find {
            if !is_any_rule(|code| is_rule(&wanted.rule, code)) {
                self.pass_over(wanted.rule.as_str(), "there is no such rule");
                continue;
            }
            let missing = check_must_find(&wanted.rule, &wanted.holder, &found);
            let disagrees = if missing.is_none() {
                disagreement(wanted, &found, &output)
            } else {
                None
            };
            self.failures.extend(missing.into_iter().chain(disagrees));
        }
        for unwanted in &case.must_not_find {
            self.failures
                .extend(check_must_not_find(&unwanted.rule, &unwanted.holder, &found));
        }
        Ok(())
    }

    /// All fixes together, in resident memory.
    pub(super) fn ends(&mut self) -> anyhow::Result<()> {
        let case = self.case;
        let Some(after) = &case.after else {
            return Ok(());
        };
        let ends = [
            ("before", self.said(&case.before.command, None)?, None),
            (
                "after",
                self.said(&after.command, None)?,
                after.published.as_ref(),
            ),
        ];
        for (name, said, published) in &ends {
            let published = published.map(|published| format!(" (published: {published})"));
            self.notes.push(format!(
                "{name}: {:.1} MB in use, {:.1} MB resident{}",
                said.held as f64 / 1e6,
                said.resident as f64 / 1e6,
                published.unwrap_or_default()
            ));
        }
        let [(_, before, _), (_, after, _)] = ends;
        let saved = 1.0 - after.resident as f64 / before.resident as f64;
        self.notes
            .push(format!("resident memory: {:.1} % less", saved * 100.0));
        // What a process has resident before it holds anything is a third of a small one.
        if let Some(least) = case.full.and_then(|full| full.rss_saved_at_least)
            && self.size >= case.sizes.test
            && saved < least
        {
            self.failures.push(Failure::Demand(format!(
                "resident memory: {saved:.3} saved, less than {least}"
            )));
        }
        Ok(())
    }

    pub(super) fn check(&mut self, demand: &Demand) -> anyhow::Result<()> {
        let figure = |said: &Said| {
            let figure = said.whole.pointer(&demand.figure).and_then(Value::as_f64);
            figure.with_context(|| format!("nothing is said at {}", demand.figure))
        };
        let share = if demand.is_time {
            let mut ratios = Vec::new();
            for _ in 0..ROUNDS {
                let before = figure(&self.run(&demand.before, None)?)?;
                ratios.push(figure(&self.run(&demand.command, None)?)? / before);
            }
            1.0 - median(&ratios).unwrap_or(f64::NAN)
        } else {
            let before = figure(&self.said(&demand.before, None)?)?;
            1.0 - figure(&self.said(&demand.command, None)?)? / before
        };
        self.notes.push(format!(
            "{}: {:.1} % less (at least {:.0} %)",
            demand.what,
            share * 100.0,
            demand.less * 100.0
        ));
        if share < demand.less || share.is_nan() {
            self.failures.push(Failure::Demand(format!(
                "{}: {share:.3} less, which is not {}",
                demand.what, demand.less
            )));
        }
        Ok(())
    }
}

/// Whether there is a rule with such a code.
pub(super) fn is_any_rule(is_it: impl Fn(&str) -> bool) -> bool {
    deadweight_rules::all()
        .iter()
        .any(|rule| is_it(&rule.code().to_string()))
}

/// Evidence that must be what the program prints, and is not in any of the findings.
fn disagreement(wanted: &Expectation, found: &[Finding], output: &Value) -> Option<Failure> {
    if wanted.agrees.is_empty() {
        return None;
    }
    let agrees = |finding: &&Finding| {
        let evidence = Value::Object(finding.evidence.clone());
        wanted.agrees.iter().all(|(ours, theirs)| {
            let theirs = output.pointer(theirs);
            theirs.is_some() && evidence.pointer(ours) == theirs
        })
    };
    let candidates = found
        .iter()
        .filter(|finding| is_rule(&wanted.rule, &finding.rule) && wanted.holder.is_match(&finding.holder));
    candidates.clone().find(agrees).is_none().then(|| {
        Failure::Demand(format!(
            "{}: {:?} is not as the program prints it",
            wanted.rule, wanted.agrees
        ))
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::compare::tests::finding;

    #[test]
    fn rules_that_are_not_there_are_known_not_to_be() {
        assert!(is_any_rule(|code| code == "C02"));
        assert!(!is_any_rule(|code| code == "X99"));
    }

    #[test]
    fn evidence_is_held_against_the_output() {
        let wanted: Expectation = toml::from_str(
            "rule = \"C02\"\nholder = \"Inner\"\nagrees = { \"/used_slots\" = \"/children\" }",
        )
        .unwrap();
        let mut finding = finding("C02", "Inner", 1000);
        finding.evidence.insert("used_slots".into(), json!([0, 3, 4]));
        let found = [finding];
        let check = |printed| disagreement(&wanted, &found, &printed);
        assert_eq!(check(json!({"children": [0, 3, 4]})), None);
        assert!(check(json!({"children": [0, 3, 5]})).is_some());
        assert!(check(json!({})).is_some());
    }
}
