//! What each key of `deadweight.toml` means.

/// Help on one key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Help {
    /// The key, as messages name it.
    pub key: &'static str,
    /// One line.
    pub title: &'static str,
    /// The rest, with an example.
    pub text: &'static str,
}

/// Every key.
pub const KEYS: [Help; 11] = [
    Help {
        key: "budget.dead_share",
        title: "the most of the held bytes that may be dead weight",
        text: "A share from 0 to 1, or in percent. Accepted findings are not counted.\n\n    [budget]\n    \
               dead_share = \"10 %\"\n\nWhen it is broken: mend the largest finding, which the message names; \
               `deadweight weigh` lists all of them.",
    },
    Help {
        key: "budget.dead_sure_share",
        title: "the most of the held bytes that may be dead weight by the data alone",
        text: "A share as of budget.dead_share, of findings that rest on the data alone: equal texts that nobody can \
               change, hidden classes, empty containers. What rests on how the program behaves is left out; each \
               such finding says what it assumes. A weighing of version 1 does not say it, and the budget is then \
               not measurable.\n\n    [budget]\n    dead_sure_share = \"1 %\"",
    },
    Help {
        key: "budget.held",
        title: "the most bytes the runtime's heap may hold",
        text: "Live bytes after garbage collection, as the weighing counts them. It depends on the input: check the \
               same input every time, or limit the bytes per record.\n\n    [budget]\n    held = \"400 MB\"",
    },
    Help {
        key: "budget.external",
        title: "the most bytes outside the runtime's heap",
        text: "Buffers and whatever else the dump shows outside.\n\n    [budget]\n    external = \"50 MB\"",
    },
    Help {
        key: "budget.bytes_per_operation",
        title: "the most bytes that one operation may allocate",
        text: "Allocated bytes, kept or not, divided by the operations that the program marked. It needs a record of \
               allocations: a heap dump does not show it, and the budget is then not measurable.\n\n    [budget]\n    \
               bytes_per_operation = \"160 B\"",
    },
    Help {
        key: "budget.churned",
        title: "the most bytes the program may make in all",
        text: "Allocated bytes, kept or not. It needs a record of allocations, as budget.bytes_per_operation does.\n\n    \
               [budget]\n    churned = \"20 MB\"",
    },
    Help {
        key: "budget.findings",
        title: "the rules whose findings may be there",
        text: "Every finding of another rule breaks the budget, of what is held and of what is made. An empty list allows \
               none. Findings below 0.1 % of all bytes, or below 4 kB, are no news.\n\n    [budget]\n    findings = \
               [\"L03\"]",
    },
    Help {
        key: "budget.rules",
        title: "the most bytes that the findings of one rule may claim together",
        text: "0 allows none. `deadweight explain CODE` tells what a rule finds and how to mend it.\n\n    \
               [budget.rules]\n    D01 = \"1 MB\"\n    L01 = 0",
    },
    Help {
        key: "budget.records",
        title: "the most bytes that one record may take",
        text: "The holder is a place (`Round.measurements[]`) or a type (`Measurement`). Counted are the records with \
               their parts, and what stands in their fields; what those hold in turn is counted at its own type. A \
               shared value counts once, so that the figure falls when equal values become one.\n\n    \
               [[budget.records]]\n    holder = \"Round.measurements[]\"\n    bytes = 400",
    },
    Help {
        key: "baseline",
        title: "the best the program has been; nothing may be worse",
        text: "The file keeps held, external and allocated bytes and every finding. A figure may be above it by the \
               tolerance (2 % when none is given). What is better is written only by `deadweight check \
               --update-baseline`, and only what is better: a worse figure never gets in. To accept something worse, \
               say so: suppress the finding with a reason, or delete the file and make it again.\n\n    [baseline]\n    \
               file = \"deadweight-baseline.json\"\n    tolerance = \"2 %\"",
    },
    Help {
        key: "suppress",
        title: "a finding that is known and stays",
        text: "It counts for no budget and no baseline. A reason is required. When it accepts nothing any more, the \
               check says that it is stale; that breaks nothing.\n\n    [[suppress]]\n    rule = \"D01\"\n    holder \
               = \"Measurement.cid\"  # all places when left out\n    reason = \"the parser makes them; gone with \
               the next version\"",
    },
];

/// The help on a key: its full name, or the part after the dot.
#[must_use]
pub fn help(key: &str) -> Option<&'static Help> {
    let whole = key.to_lowercase();
    KEYS.iter().find(|help| {
        let name = help.key;
        let below = |prefix: &str| {
            whole
                .strip_prefix(prefix)
                .is_some_and(|rest| rest.starts_with('.'))
        };
        name == whole || name.strip_prefix("budget.") == Some(whole.as_str()) || below(name)
    })
}

#[cfg(test)]
mod tests {
    use super::help;

    #[test]
    fn keys_are_found_as_messages_and_people_name_them() {
        for (asked, found) in [
            ("budget.dead_share", "budget.dead_share"),
            ("held", "budget.held"),
            ("budget.rules.D01", "budget.rules"),
            ("Baseline", "baseline"),
        ] {
            assert_eq!(help(asked).map(|help| help.key), Some(found), "{asked}");
        }
        assert!(help("nothing").is_none());
    }
}
