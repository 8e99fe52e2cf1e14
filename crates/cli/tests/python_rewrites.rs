//! What findings of Python's lines promise, against what comes when the line is written as advised, on every interpreter at
//! hand.
#![cfg(target_os = "linux")]

use serde_json::Value;

mod made;
mod pythons;

use made::{Ran, near, recorded};

/// A program with something to make less of, and how it reads then; `None` where the finding has the rewrite.
const ADVISED: &[(&str, &str, &str, Option<&str>)] = &[
    (
        "T03",
        "program.py:4",
        "def count(rows):\n    # kept as it is\n\n    return len([row for row in rows if row % 3])\nROWS = list(range(3000))\nfor _ in \
         range(300):\n    n = count(ROWS)\nprint(n)\n",
        None,
    ),
    (
        "T03",
        "program.py:2",
        "def total(rows):\n    return sum([row * 2 for row in rows])\nROWS = list(range(3000))\nfor _ in range(300):\n    n = \
         total(ROWS)\nprint(n)\n",
        None,
    ),
    (
        "T03",
        "program.py:2",
        "def size(table):\n    return len(list(table.keys()))\nTABLE = dict.fromkeys(range(1000))\nfor _ in range(500):\n    n = \
         size(TABLE)\nprint(n)\n",
        None,
    ),
    (
        "T03",
        "program.py:2",
        "def least(names):\n    return min(list(names))\nNAMES = {str(n) for n in range(1000)}\nfor _ in range(500):\n    n = \
         least(NAMES)\nprint(n)\n",
        None,
    ),
    (
        "T04",
        "program.py:4",
        "import json\ndef settings():\n    # the same each time\n    return json.loads('{\"name\": \"web\", \"ports\": [8080, 9090, 300.5], \
         \"paths\": {\"a\": \"/srv/a\", \"b\": \"/srv/b\"}}')\nfor _ in range(3000):\n    n = \
         settings()[\"name\"]\nprint(n)\n",
        Some(
            "import json\nSETTINGS = json.loads('{\"name\": \"web\", \"ports\": [8080, 9090, 300.5], \"paths\": {\"a\": \"/srv/a\", \
             \"b\": \"/srv/b\"}}')\ndef settings():\n    return SETTINGS\nfor _ in range(3000):\n    n = \
             settings()[\"name\"]\nprint(n)\n",
        ),
    ),
    (
        "T04",
        "program.py:3",
        "import re\ndef is_name(text):\n    return re.compile('([a-z]+)-([0-9]{1,4})(x|y|z)?').match(text) is not None\nfor n in \
         range(150):\n    found = is_name('ab-12')\n    re.purge()\nprint(found)\n",
        Some(
            "import re\nNAME = re.compile('([a-z]+)-([0-9]{1,4})(x|y|z)?')\ndef is_name(text):\n    return NAME.match(text) is \
             not None\nfor n in range(150):\n    found = is_name('ab-12')\n    re.purge()\nprint(found)\n",
        ),
    ),
    // The module keeps the pattern: what is left to save is its look-up.
    (
        "T04",
        "program.py:3",
        "import re\ndef is_name(text):\n    return re.compile('[a-z]+-[0-9]+').match(text) is not None\nfor n in \
         range(3000):\n    found = is_name('ab-12')\nprint(found)\n",
        Some(
            "import re\nNAME = re.compile('[a-z]+-[0-9]+')\ndef is_name(text):\n    return NAME.match(text) is not None\n\
             for n in range(3000):\n    found = is_name('ab-12')\nprint(found)\n",
        ),
    ),
];

/// What is promised is what comes, when the line is written as advised.
#[test]
fn rewrites_save_what_they_promise() {
    for python in pythons::all() {
        for (rule, place, before, after) in ADVISED {
            let ran = recorded(&python, before);
            let findings = ran.churned()["findings"].as_array().unwrap();
            let of_line = findings
                .iter()
                .find(|finding| finding["rule"] == *rule && finding["site"] == *place);
            let finding =
                of_line.unwrap_or_else(|| panic!("{python} {place}: {findings:#?}\n{}", ran.said()));
            let rewritten = after.map_or_else(|| rewritten(before, ran.rewrite(finding)), str::to_owned);
            let then = recorded(&python, &rewritten);
            assert_eq!(then.out(), ran.out(), "{python}: {rewritten}");
            let bytes = |ran: &Ran| ran.churned()["bytes"].as_f64().unwrap();
            let (saved, promised) = (bytes(&ran) - bytes(&then), finding["saves"].as_f64().unwrap());
            println!("{python} {place} {rule}: {promised} promised, {saved} saved");
            assert!(
                near(saved, promised, 0.03),
                "{python}: {promised} promised, {saved} saved by\n{rewritten}"
            );
        }
    }
}

/// A source with a finding's rewrite in it.
fn rewritten(source: &str, rewrite: &Value) -> String {
    let lines = |name: &str| -> Vec<&str> {
        let lines = rewrite[name].as_array().unwrap_or_else(|| panic!("{rewrite}"));
        lines.iter().map(|line| line.as_str().unwrap()).collect()
    };
    let at = usize::try_from(rewrite["line"].as_u64().unwrap()).unwrap() - 1;
    let mut all: Vec<&str> = source.lines().collect();
    let before = lines("before");
    assert_eq!(all[at..at + before.len()], before);
    all.splice(at..at + before.len(), lines("after"));
    all.join("\n") + "\n"
}
