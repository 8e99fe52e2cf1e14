//! From a weighing to its edits.

use std::path::Path;

use deadweight_idioms::{Change, Fields, Language, SourceEdit, edit};
use deadweight_weighing::{Finding, Rewritten, Weighing};
use serde_json::Value;

use crate::patch::text_of;
use crate::{Edit, Hunk};

/// Equal strings.
const EQUAL_TEXTS: &str = "D01";

/// Empty containers.
const EMPTY_CONTAINERS: &str = "C01";

/// Hash tables whose keys are fields.
const TABLES_AS_RECORDS: &str = "L02";

/// Room for fields that nobody adds.
const OPEN_RECORDS: &str = "L07";

/// What a weighing offers to edit, the largest saving first. Files are seen from `root`. `named` are the findings that are
/// wanted, by fingerprint or rule; all where it is empty.
#[must_use]
pub fn edits(weighing: &Weighing, root: &Path, named: &[String]) -> Vec<Edit> {
    let is_wanted = |finding: &&Finding| {
        let is = |name: &String| finding.fingerprint == *name || finding.rule.eq_ignore_ascii_case(name);
        named.is_empty() || named.iter().any(is)
    };
    let mut edits: Vec<Edit> = Vec::new();
    if let Some(churned) = &weighing.churned {
        for finding in churned.findings.iter().chain(&churned.options).filter(is_wanted) {
            let rewrites = churned
                .rewrites
                .iter()
                .filter(|rewrite| rewrite.fingerprint == finding.fingerprint);
            edits.extend(rewrites.filter_map(|rewrite| rewritten(finding, rewrite)));
        }
    }
    edits.extend(
        weighing
            .findings
            .iter()
            .filter(is_wanted)
            .filter_map(|finding| held(finding, root)),
    );
    edits.sort_by(|a, b| {
        b.saves
            .cmp(&a.saves)
            .then_with(|| a.fingerprint.cmp(&b.fingerprint))
    });
    edits
}

/// Nothing for rewrites that do not say what they rest on: those of older weighings.
fn rewritten(finding: &Finding, rewrite: &Rewritten) -> Option<Edit> {
    let hunk = Hunk {
        line: u64::from(rewrite.line),
        before: rewrite.before.clone(),
        after: rewrite.after.clone(),
    };
    Some(of(
        finding,
        &rewrite.file,
        vec![hunk],
        rewrite.conditions.clone()?,
    ))
}

/// The edit for a finding about what is held, where its class is written in a file at hand.
fn held(finding: &Finding, root: &Path) -> Option<Edit> {
    let file = &finding.line.as_ref()?.file;
    let language = Language::of(Path::new(file))?;
    let seen = finding.evidence.get("fields");
    let fields: Vec<&str> = seen
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    let at = finding.holder.rsplit_once('.');
    let literal = at.and_then(|(of, _)| Literal::named(of));
    let change = match (finding.rule.as_str(), at) {
        (EQUAL_TEXTS, Some((class, field))) if is_at_one_place(finding) => match &literal {
            Some(literal) => Change::InternEntry {
                fields: literal.fields(),
                field,
            },
            None => Change::Intern { class, field },
        },
        (EMPTY_CONTAINERS, Some((class, field))) if is_at_one_place(finding) => {
            Change::MakeLater { class, field }
        }
        (TABLES_AS_RECORDS, _) if !fields.is_empty() => Change::Class {
            fields: Fields {
                named: &fields,
                more: 0,
            },
        },
        (OPEN_RECORDS, _) => Change::FixFields {
            class: &finding.holder,
            fields: &fields,
        },
        _ => return None,
    };
    let (_, text) = text_of(root, file).ok()?;
    let SourceEdit {
        hunks,
        conditions,
        claims,
    } = edit(&text, language, change)?;
    let hunks = hunks.into_iter().map(|hunk| Hunk {
        line: u64::from(hunk.line),
        before: hunk.before,
        after: hunk.after,
    });
    let edit = of(finding, file, hunks.collect(), conditions);
    Some(Edit { claims, ..edit })
}

/// A record that has no name but its fields: `{id, city, +2}`.
struct Literal<'h> {
    named: Vec<&'h str>,
    more: usize,
}

impl<'h> Literal<'h> {
    fn named(holder: &'h str) -> Option<Self> {
        let inside = holder.strip_prefix('{')?.strip_suffix('}')?;
        let mut literal = Self {
            named: Vec::new(),
            more: 0,
        };
        for field in inside.split(", ") {
            match field.strip_prefix('+').and_then(|more| more.parse().ok()) {
                Some(more) => literal.more = more,
                None => literal.named.push(field),
            }
        }
        Some(literal)
    }

    fn fields(&self) -> Fields<'_> {
        Fields {
            named: &self.named,
            more: self.more,
        }
    }
}

/// Whether equal strings can be made one where one field is assigned. What other places hold as well, one of them does not
/// let go; and strings whose equals stand elsewhere have nothing to become one with.
fn is_at_one_place(finding: &Finding) -> bool {
    let has = |key| finding.evidence.contains_key(key);
    !has("also_held_at") && !has("equal_at") && !has("variant")
}

fn of(finding: &Finding, file: &str, hunks: Vec<Hunk>, conditions: Vec<String>) -> Edit {
    Edit {
        fingerprint: finding.fingerprint.clone(),
        rule: finding.rule.clone(),
        title: finding.title.clone(),
        file: file.to_owned(),
        hunks,
        conditions,
        saves: finding.saves_alone,
        claims: None,
    }
}
