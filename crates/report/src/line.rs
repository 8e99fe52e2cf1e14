//! A finding's line in words.

use deadweight_weighing::{Line, LineOf, harmless};

use crate::figures::share;

/// What stands behind the position: what it is of the finding.
pub(crate) fn what(line: &Line) -> String {
    let name = harmless(&line.name);
    let part = || {
        let part = line.share.filter(|&part| part < 0.995)?;
        Some(share((part * 1000.0) as u64, 1000))
    };
    let allocates = match part() {
        Some(part) => format!("allocates {part} of it"),
        None => "allocates it".to_owned(),
    };
    let through = line.through.as_deref();
    let through = through.map_or_else(String::new, |through| format!(", in {}", harmless(through)));
    let said = match (line.is, name.as_str()) {
        (LineOf::Allocation, "") => allocates,
        (LineOf::Allocation, name) => format!("{name} {allocates} here"),
        (LineOf::AllocatingFunction, "") => format!("the function there {allocates}"),
        (LineOf::AllocatingFunction, name) => format!("{name} {allocates}"),
        (LineOf::Class, "") => "its class".to_owned(),
        (LineOf::Class, name) => format!("class {name}"),
        (LineOf::HoldingClass, "") => "a class that holds it".to_owned(),
        (LineOf::HoldingClass, name) => format!("class {name} holds it"),
        (LineOf::Function, "") => "a function there reaches it".to_owned(),
        (LineOf::Function, name) => format!("function {name} reaches it"),
        (LineOf::Module, _) => "the module that holds it".to_owned(),
    };
    said + &through
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_says_what_it_is() {
        let mut line = Line {
            file: "src/db.js".to_owned(),
            line: 41,
            column: None,
            is: LineOf::AllocatingFunction,
            name: "load".to_owned(),
            share: Some(0.7),
            through: Some("parse (node_modules/a/b.js:3)".to_owned()),
            around: Vec::new(),
            around_from: None,
        };
        assert_eq!(
            what(&line),
            "load allocates 70.0 % of it, in parse (node_modules/a/b.js:3)"
        );
        line.through = None;
        line.share = Some(1.0);
        assert_eq!(what(&line), "load allocates it");
        line.is = LineOf::Allocation;
        assert_eq!(what(&line), "load allocates it here");
        line.is = LineOf::Class;
        assert_eq!(what(&line), "class load");
        line.name.clear();
        line.is = LineOf::Function;
        assert_eq!(what(&line), "a function there reaches it");
    }
}
