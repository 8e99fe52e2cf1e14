//! What was published of a case, claim by claim, beside what is measured here.

use anyhow::{Context, bail};
use serde::Deserialize;
use serde_json::Value;

use crate::report::thousands;

/// One claim of the published text.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Claim {
    /// What the text says, in one line.
    #[serde(rename = "claim")]
    pub text: String,
    /// Its figure.
    pub published: String,
    /// Ours, with figures as `{/pointer FORMAT}`.
    pub ours: String,
    /// Whether both are of the same thing.
    pub like: Likeness,
    /// Why ours differs, or cannot be compared; with figures in the same way.
    #[serde(default)]
    pub why: String,
    /// Where it can be seen.
    #[serde(default)]
    pub see: String,
}

/// Whether two figures are of the same thing.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
pub enum Likeness {
    /// Like with like.
    #[serde(rename = "yes")]
    Full,
    /// Some of what they are of differs.
    #[serde(rename = "in part")]
    Partial,
    /// They cannot be compared.
    #[serde(rename = "no")]
    None,
}

impl Likeness {
    fn shown(self) -> &'static str {
        match self {
            Self::Full => "yes",
            Self::Partial => "in part",
            Self::None => "no",
        }
    }
}

/// The rows of the table, each a line of Markdown.
///
/// # Errors
/// When a claim names a figure that is not there.
pub fn table(claims: &[Claim], figures: &Value) -> anyhow::Result<Vec<String>> {
    let mut lines = vec![
        "| the text says | published | ours | like with like? | why not | see |".to_owned(),
        "|---|---|---|---|---|---|".to_owned(),
    ];
    for claim in claims {
        let filled = |text| filled(text, figures).with_context(|| format!("\"{}\"", claim.text));
        let (ours, why) = (filled(&claim.ours)?, filled(&claim.why)?);
        let cells = [
            claim.text.as_str(),
            &claim.published,
            &ours,
            claim.like.shown(),
            &why,
            &claim.see,
        ];
        lines.push(format!("| {} |", cells.map(cell).join(" | ")));
    }
    Ok(lines)
}

/// A text that neither ends a cell nor a line.
fn cell(text: &str) -> String {
    text.split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
        .replace('|', "\\|")
}

/// Puts figures in the place of `{/pointer FORMAT}`.
fn filled(text: &str, figures: &Value) -> anyhow::Result<String> {
    let mut filled = String::new();
    let mut rest = text;
    while let Some(start) = rest.find("{/") {
        let (before, from) = rest.split_at(start);
        let end = from.find('}').with_context(|| format!("no }} follows {from}"))?;
        let (pointer, format) = from[1..end].split_once(' ').unwrap_or((&from[1..end], ""));
        let value = figures
            .pointer(pointer)
            .with_context(|| format!("no figure is called {pointer}"))?;
        filled.push_str(before);
        filled.push_str(&shown(value, format).with_context(|| pointer.to_owned())?);
        rest = &from[end + 1..];
    }
    filled.push_str(rest);
    Ok(filled)
}

fn shown(value: &Value, format: &str) -> anyhow::Result<String> {
    if let (Value::String(text), "") = (value, format) {
        return Ok(text.clone());
    }
    let number = value.as_f64().context("it is no number")?;
    Ok(match format {
        "" => value.to_string(),
        "GB" => format!("{} GB", significant(number / 1e9)),
        "MB" => format!("{} MB", significant(number / 1e6)),
        "kB" => format!("{} kB", significant(number / 1e3)),
        "B" | "ns" | "µs" | "ms" | "s" => format!("{} {format}", significant(number)),
        "%" => format!("{:.1} %", number * 100.0),
        "+%" => format!("{:+.1} %", number * 100.0).replace('-', "−"),
        "x" => format!("{number:.2} x"),
        "n" => significant(number.round()),
        other => bail!("no format is called {other}"),
    })
}

/// Three digits where there are fewer before the point, with commas where there are many.
fn significant(number: f64) -> String {
    let sign = if number < 0.0 { "−" } else { "" };
    let size = number.abs();
    if size >= 999.5 || size.fract() == 0.0 {
        return format!("{sign}{}", thousands(size.round() as u64));
    }
    let digits = match size {
        size if size >= 99.95 => 0,
        size if size >= 9.995 => 1,
        _ => 2,
    };
    format!("{sign}{size:.digits$}")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn figures_are_shown_with_their_units() {
        let figures = json!({
            "heap": { "before": 570_400_000, "after": 167_000_000 },
            "share": -0.307, "pages": 1_381_819, "ratio": 1.5, "each": 52.04, "version": "20.20.2",
        });
        for (text, expected) in [
            ("{/heap/before MB} -> {/heap/after MB}", "570 MB -> 167 MB"),
            ("{/heap/before GB}", "0.57 GB"),
            ("{/share %} or {/share +%}", "-30.7 % or −30.7 %"),
            ("{/pages n} nodes", "1,381,819 nodes"),
            ("{/ratio x} as fast", "1.50 x as fast"),
            ("{/each B} on {/version}", "52.0 B on 20.20.2"),
            ("plain {words}", "plain {words}"),
        ] {
            assert_eq!(filled(text, &figures).unwrap(), expected);
        }
    }

    #[test]
    fn what_is_not_there_is_an_error() {
        let figures = json!({ "a": 1, "text": "b" });
        for text in ["{/b}", "{/a parsecs}", "{/text MB}", "{/a"] {
            assert!(filled(text, &figures).is_err(), "{text}");
        }
    }

    #[test]
    fn a_claim_is_one_row() {
        let claims: Vec<Claim> = serde_json::from_value(json!([{
            "claim": "plain objects\n  cost more", "published": "a | b", "ours": "{/a %}", "like": "in part",
            "why": "another version, {/version}", "see": "`test/class.test.js`",
        }]))
        .unwrap();
        let lines = table(&claims, &json!({ "a": 0.5, "version": "22" })).unwrap();
        assert_eq!(
            lines[2],
            "| plain objects cost more | a \\| b | 50.0 % | in part | another version, 22 | `test/class.test.js` |"
        );
        assert!(table(&claims, &json!({})).is_err());
    }
}
