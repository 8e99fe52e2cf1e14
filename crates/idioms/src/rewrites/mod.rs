//! Each rewrite beside what it is offered for, run on the same input by the language itself: both answer the same, and
//! where they need not, the rewrite says so itself.

mod java;
mod javascript;
mod programs;
mod python;
mod ruby;
mod ruby_lines;

use std::process::Command;

use deadweight_heap::churn::Antipattern;

use crate::find::with_idioms;
use crate::idiom::Idiom;
use crate::source::Source;
use crate::{Language, antipatterns_in};

/// An expression, the inputs it is tried on, and of which of them a rewrite with a condition has to answer the same; both
/// in the language.
struct Case(&'static str, &'static str, &'static str);

/// Where there is no condition.
const ALWAYS: &str = "";

/// The lines of the only rewrite in a source.
fn rewritten(language: Language, source: &str) -> Vec<String> {
    let found = antipatterns_in(source, language, "f").unwrap();
    let [
        Antipattern {
            rewrite: Some(rewrite),
            ..
        },
    ] = &found[..]
    else {
        panic!("{source}: {found:?}");
    };
    rewrite.after.clone()
}

/// A case has a condition where its rewrite does, and nowhere else: what is not the same for every input says so.
fn has_condition(language: Language, case: &Case, rewrite: &[String]) {
    let says = rewrite.iter().any(|line| {
        let comment = line.trim_start().strip_prefix(language.comment());
        comment.is_some_and(|comment| comment.starts_with(" Only if"))
    });
    assert_eq!(says, case.2 != ALWAYS, "{}: {rewrite:#?}", case.0);
    for line in rewrite
        .iter()
        .filter(|line| line.trim_start().starts_with(language.comment()))
    {
        assert!(line.chars().count() <= 62, "{line}");
    }
}

/// Every idiom with a rewrite stands in one of these sources.
fn every_rewrite_is_in<'s>(language: Language, sources: impl IntoIterator<Item = &'s str>) {
    let mut tried: Vec<&'static Idiom> = Vec::new();
    for source in sources {
        let source = Source::parse(source, language).unwrap();
        let found = with_idioms(&source, "f", None).into_iter();
        tried.extend(
            found
                .filter(|(_, found)| found.rewrite.is_some())
                .map(|(idiom, _)| idiom),
        );
    }
    let has_rewrite = |idiom: &&Idiom| !idiom.template.is_empty() || idiom.compared.is_some();
    let missing: Vec<&str> = language
        .idioms()
        .filter(has_rewrite)
        .filter(|idiom| !tried.iter().any(|tried| std::ptr::eq(*tried, *idiom)))
        .map(|idiom| idiom.query)
        .collect();
    assert!(missing.is_empty(), "{}", missing.join("\n\n"));
}

/// What a program that compares them says: nothing, and then how many pairs of answers it has compared.
pub(crate) fn compared(program: &std::path::Path, by: &str, least: usize) {
    let ran = Command::new(by)
        .arg(program)
        .output()
        .unwrap_or_else(|_| panic!("these tests need {by}"));
    let out = String::from_utf8_lossy(&ran.stdout);
    let lines: Vec<&str> = out.lines().collect();
    assert!(
        ran.status.success(),
        "{}\n{out}",
        String::from_utf8_lossy(&ran.stderr)
    );
    let compared = lines.last().unwrap().strip_prefix("compared ").unwrap();
    assert!(compared.parse::<usize>().unwrap() >= least, "{compared}");
    assert_eq!(lines.len(), 1, "{out}");
}
