//! Predictions against measurements. Nothing here runs anything.

mod bytes;
mod failure;
mod median;
mod outputs;
mod row;
mod selection;

pub use bytes::Bytes;
pub use failure::{Failure, check_closed, check_error, check_healthy, check_must_find, check_must_not_find};
pub use median::median;
pub use outputs::outputs;
pub use row::{Row, platform};
pub use selection::{Rules, Selection, is_rule, predicted};

#[cfg(test)]
pub mod tests {
    use deadweight_weighing::{Confidence, Finding, Tier};
    use regex::Regex;

    /// A finding with nothing to show.
    pub fn finding(rule: &str, holder: &str, saves: u64) -> Finding {
        Finding {
            rule: rule.into(),
            holder: holder.into(),
            site: None,
            count: 100,
            unaffected: 0,
            bytes_now: saves,
            bytes_after: 0,
            saves,
            saves_alone: saves + 10,
            external: false,
            confidence: Confidence::Exact,
            tier: Tier::Sure,
            assumes: None,
            fingerprint: String::new(),
            title: String::new(),
            fix: String::new(),
            evidence: serde_json::Map::new(),
            frees: Vec::new(),
            shared: Vec::new(),
            path: Vec::new(),
            line: None,
        }
    }

    /// A pattern.
    pub fn like(pattern: &str) -> Regex {
        Regex::new(pattern).expect("a pattern")
    }
}
