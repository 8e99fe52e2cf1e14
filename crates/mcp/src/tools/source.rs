//! `source`.

use deadweight_weigher::{excerpt, text_of};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Desk, Refused, Tool};
use crate::budget::Budget;
use crate::caller::Caller;

/// Shows the source of a finding.
pub(super) struct Source;

/// Lines before and behind the one, unless the caller names a number, and at most.
const USUAL: u16 = 8;
const MOST: u16 = 200;

/// What it takes.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct In {
    /// The weighing: its name in this session, such as w1, or a path.
    weighing: String,
    /// The fingerprint, as `findings` lists it.
    finding: String,
    /// Lines before and behind the one; 8 unless given.
    #[serde(default)]
    around: Option<u16>,
    /// About how many tokens the answer may take: 300 to 50000; 2000 unless given.
    #[serde(default)]
    budget: Budget,
}

/// Source around a finding's line, as it is now.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Out {
    /// The file, relative to a folder of this server.
    file: String,
    /// The finding's line, from 1.
    line: u64,
    /// The number of the first line shown.
    from: u64,
    /// The lines.
    lines: Vec<String>,
    /// What to do.
    fix: String,
    /// How the lines would read after a fix, where that is known. It answers as the lines did, or says where alone it does.
    rewrites: Vec<Rewrite>,
}

/// How lines would read after a fix.
#[derive(Debug, Serialize, JsonSchema)]
struct Rewrite {
    /// The first line that changes, from 1.
    line: u32,
    /// The lines as they were when the program was weighed.
    before: Vec<String>,
    /// The lines as they would be.
    after: Vec<String>,
}

impl Tool for Source {
    const NAME: &'static str = "source";
    const TITLE: &'static str = "Source of a finding";
    const DESCRIPTION: &'static str = "Shows the lines of source where a finding is changed, as they are in the folders of this server, with the \
        rewrite where one is known to give the same results.";
    type In = In;
    type Out = Out;

    fn budget(input: &In) -> Budget {
        input.budget
    }

    fn call(desk: &Desk, input: In, _: &Caller) -> Result<Out, Refused> {
        let weighed = desk.weighing(&input.weighing, 0)?;
        let (_, finding) = Desk::finding(&weighed, &input.finding)?;
        let place = weighed.places.get(&finding.fingerprint);
        let Some((path, line)) = place.and_then(|place| place.line.clone()) else {
            return Err(Refused::NoSource(
                "the weighing names none, or one outside of the folders of this server".to_owned(),
            ));
        };
        // It may be another file by now.
        if !desk.settings.roots.may_read(&path) {
            return Err(Refused::NoSource("the file is gone".to_owned()));
        }
        let around = u64::from(input.around.unwrap_or(USUAL).min(MOST));
        let shown = text_of(&path).and_then(|text| excerpt(&text, line, around));
        let Some(shown) = shown else {
            return Err(Refused::NoSource(format!(
                "{} is no source, or has no line {line}",
                desk.settings.roots.shown(&path)
            )));
        };
        let rewrites = place.into_iter().flat_map(|place| &place.rewrites);
        Ok(Out {
            file: desk.settings.roots.shown(&path),
            line,
            from: shown.from,
            lines: shown.lines,
            fix: finding.fix,
            rewrites: rewrites
                .map(|rewrite| Rewrite {
                    line: rewrite.line,
                    before: rewrite.before.clone(),
                    after: rewrite.after.clone(),
                })
                .collect(),
        })
    }
}
