//! How an object of a finding is reached, in words.

use deadweight_weighing::{Step, harmless};

use crate::figures::count;
use crate::wrap::wrap_plain;

/// The steps from a root, in lines of at most `room` columns; none when nobody looked for them.
pub(super) fn lines(path: &[Step], room: usize) -> Vec<String> {
    if path.is_empty() {
        return Vec::new();
    }
    let steps: Vec<String> = path.iter().map(step).collect();
    wrap_plain(&format!("reached by {}", steps.join(" → ")), room)
}

fn step(step: &Step) -> String {
    let object = harmless(&step.object);
    let named = if step.via.is_empty() {
        object
    } else {
        format!("{}: {object}", harmless(&step.via))
    };
    match step.skipped {
        0 => named,
        skipped => format!("… {} more … → {named}", count(skipped)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(via: &str, object: &str, skipped: u64) -> Step {
        Step {
            via: via.to_owned(),
            object: object.to_owned(),
            skipped,
        }
    }

    #[test]
    fn steps_are_reported_in_their_order() {
        let path = [
            of("", "(root)", 0),
            of("", "global", 0),
            of("registry", "Map", 0),
            of("{}", "Record\n", 1200),
        ];
        assert_eq!(
            lines(&path, 90),
            ["reached by (root) → global → registry: Map → … 1,200 more … → {}: Record\\n"]
        );
        assert_eq!(lines(&path, 40).len(), 2);
        assert!(lines(&[], 90).is_empty());
    }
}
