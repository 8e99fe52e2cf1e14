//! The invariants of the architecture, held against manifests and sources. What checks is a function that is itself
//! tried on samples that break it.

mod dependencies;
mod language;
mod sources;

use std::fs;
use std::path::Path;

use dependencies::Dependencies;
use sources::{Source, Words};

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

#[test]
fn what_compares_and_shows_weighings_needs_no_rule() {
    let dependencies = Dependencies::of_workspace(root());
    for from in ["deadweight-compare", "deadweight-report", "deadweight-weighing"] {
        let way = dependencies.way(from, "deadweight-rules");
        assert!(way.is_none(), "{way:?}");
    }
    // The tests of compare weigh heaps, and so need rules; reports are tried on weighings that are stored.
    assert!(!dependencies.in_tests("deadweight-report", "deadweight-rules"));
}

#[test]
fn the_model_and_the_result_need_nothing_of_ours() {
    let dependencies = Dependencies::of_workspace(root());
    for from in ["deadweight-heap", "deadweight-weighing"] {
        let ours: Vec<&str> = dependencies.direct(from).filter(|on| is_ours(on)).collect();
        assert!(ours.is_empty(), "{from}: {ours:?}");
    }
}

fn is_ours(package: &str) -> bool {
    package.starts_with("deadweight")
}

#[test]
fn formats_know_no_rule() {
    let dependencies = Dependencies::of_workspace(root());
    for from in [
        "deadweight-formats",
        "deadweight-heap",
        "deadweight-allocators",
        "deadweight-idioms",
    ] {
        let way = dependencies.way(from, "deadweight-rules");
        assert!(way.is_none(), "{way:?}");
    }
    let codes: Vec<&str> = deadweight_rules::rulebook()
        .pages()
        .iter()
        .map(|page| page.code.0)
        .collect();
    let codes = Words::exact(&codes);
    for source in sources::of(&root().join("crates/formats")) {
        let code = source.without_tests();
        let named = codes.named(code.text());
        assert!(named.is_empty(), "{}: {named:?}", source.path());
    }
}

/// Names of runtimes, languages and allocators.
fn runtimes() -> Words {
    // Node and Go are words of other meanings, too, so that only they themselves count.
    let exact = ["Node", "NodeJS", "Go", "Golang"];
    let anywhere = [
        "v8",
        "ruby",
        "crystal",
        "glibc",
        "jemalloc",
        "tcmalloc",
        "mimalloc",
        "boehm",
        "jvm",
        "hotspot",
        "cpython",
        "python",
        "javascript",
        "java",
        "deno",
        "bun",
    ];
    Words::exact(&exact).or_anywhere(&anywhere)
}

#[test]
fn rules_and_the_model_know_no_runtime() {
    let runtimes = runtimes();
    for krate in ["crates/heap", "crates/rules"] {
        for source in sources::of(&root().join(krate)) {
            // A rule's page says how to mend what it finds in each language; rules have one file each in this folder.
            let is_rule = source.folder() == Some("crates/rules/src/rules");
            let code = source.without_tests();
            let code = if is_rule { code.without_head() } else { code };
            let named = runtimes.named(code.text());
            assert!(named.is_empty(), "{}: {named:?}", source.path());
        }
    }
}

#[test]
fn what_is_computed_does_no_input_or_output() {
    for krate in ["crates/heap", "crates/weighing", "crates/rules", "crates/compare"] {
        for source in sources::of(&root().join(krate)) {
            let used = sources::input_or_output(source.without_tests().without_comments().text());
            assert!(used.is_empty(), "{}: {used:?}", source.path());
        }
    }
}

#[test]
fn users_read_no_word_that_the_glossary_bans() {
    let text = |path: &Path| fs::read_to_string(path).expect("text");
    let banned = language::banned(&text(&root().join("docs/glossary.md")));
    let mut found = Vec::new();
    let mut look = |path: &Path, text: &str| {
        let words = language::found(&banned, text);
        found.extend((!words.is_empty()).then(|| format!("{}: {words:?}", path.display())));
    };
    // What the binaries print.
    let crates = fs::read_dir(root().join("crates")).expect("crates");
    let crates = crates.map(|krate| krate.expect("an entry").path());
    for krate in crates.chain([root().join("fleet")]) {
        if !krate.join("src").is_dir() {
            continue;
        }
        for source in sources::of(&krate) {
            let is_help = ["cli/src/arguments", "fleet/src/arguments"];
            let with_help = is_help.iter().any(|help| source.path().contains(help));
            let literals = language::literals(source.without_tests().text(), with_help);
            look(Path::new(source.path()), &literals);
        }
    }
    // The page, and what recorders say.
    for path in language::files(&root().join("crates/report/html/src"), &[".ts", ".tsx"]) {
        look(&path, &text(&path));
    }
    for path in language::files(&root().join("fleet/page"), &[".js", ".html"]) {
        look(&path, &language::without_comments(&text(&path), "//"));
    }
    for (endings, mark) in [(&[".js", ".cjs", ".mjs"][..], "//"), (&[".rb"][..], "# ")] {
        for path in language::files(&root().join("recorders"), endings) {
            look(&path, &language::without_comments(&text(&path), mark));
        }
    }
    // Pages, and what the schemas say of their fields. The glossary quotes what it bans.
    for folder in ["docs", "recorders", "remedies", "fleet"] {
        for path in language::files(&root().join(folder), &[".md", ".json"]) {
            let page = text(&path);
            look(&path, &language::without_code(&page));
        }
    }
    look(
        Path::new("README.md"),
        &language::without_code(&text(&root().join("README.md"))),
    );
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn banned_words_are_found_in_what_is_printed() {
    let glossary =
        "| `kept` | … |\n## Words we do not use\n| not | but |\n| `anew`, `so many` (a number) | N |\n";
    let banned = language::banned(glossary);
    assert_eq!(banned, ["anew", "so many"]);
    for text in ["made anew.", "so\n    many", "So many bytes"] {
        assert_eq!(language::found(&banned, text).len(), 1, "{text}");
    }
    assert_eq!(
        language::found(&banned, "a new one, renewed; so  manyfold"),
        [""; 0]
    );
    let code =
        "// anew\n/// So many bytes\nlet a = 'a'; let b = '\"'; f(\"x\\\"y\", r#\"so \"many\"#, &'static 1);";
    assert_eq!(language::literals(code, false), "x y\nso \"many");
    assert_eq!(
        language::literals("#[expect(x, reason = \"anew\")] f(\"y\")", false),
        "y"
    );
    assert_eq!(language::literals(code, true), "So many bytes\nx y\nso \"many");
    let script = "f('anew') // so many\n// anew\nhttp://anew";
    let code = language::without_comments(script, "//");
    assert_eq!(code, "f('anew') \n\nhttp://anew");
    assert_eq!(language::without_code("a `anew` b\n`c"), "a … b\n`c");
}

#[test]
fn a_dependency_is_found_over_other_crates() {
    let mut dependencies = Dependencies::default();
    dependencies.read(
        r#"
        [package]
        name = "report"
        [dependencies]
        compare.workspace = true
        [dev-dependencies]
        model = "1"
        "#,
    );
    dependencies.read(
        r#"
        [package]
        name = "compare"
        [target."cfg(unix)".dependencies]
        other = { path = "../rules", package = "rules" }
        "#,
    );
    let way = dependencies.way("report", "rules");
    assert_eq!(way.as_deref(), Some("report → compare → rules"));
    assert_eq!(dependencies.way("report", "model"), None, "tests may need more");
    assert!(dependencies.in_tests("report", "model"));
}

#[test]
fn names_are_found_as_words_and_in_identifiers() {
    let runtimes = runtimes();
    for (text, named) in [
        ("/// As Ruby has them.", "Ruby"),
        ("fn is_glibc() {}", "glibc"),
        ("struct RubyHash;", "RubyHash"),
        ("\"v8-heapsnapshot\"", "v8"),
        ("// Node.js reads", "Node"),
    ] {
        assert_eq!(runtimes.named(text), [named], "{text}");
    }
    for text in [
        "struct Nodes; let node = Nodes;",
        "// Goes on, and a category.",
        "let javascripts = 1;",
    ] {
        assert_eq!(runtimes.named(text), [""; 0], "{text}");
    }
    assert_eq!(
        Words::exact(&["D01"]).named("the bytes of D01, not 0xD01F"),
        ["D01"]
    );
}

#[test]
fn tests_heads_and_comments_are_distinguished_from_code() {
    let source = Source::new(
        "crates/x/src/a.rs",
        "//! # A page\n//! of Ruby\n\nuse x;\n\n#[cfg(test)]\nmod tests {\n    fn ruby() {}\n}\n\nfn code() {} // of V8\n\
         #[cfg(test)]\nuse y::{\n    glibc,\n};\nconst URL: &str = \"http://v8\";\n",
    );
    let code = source.without_tests();
    assert_eq!(runtimes().named(code.text()), ["Ruby", "V8", "v8"]);
    assert_eq!(runtimes().named(code.without_head().text()), ["V8", "v8"]);
    assert_eq!(
        runtimes().named(code.without_head().without_comments().text()),
        ["v8"]
    );
    assert_eq!(source.folder(), Some("crates/x/src"));
}

#[test]
fn input_and_output_are_found_however_they_are_imported() {
    for (text, used) in [
        ("use std::fs::File;", "std::fs"),
        (
            "use std::{\n    collections::HashMap,\n    io::Write,\n};",
            "std::{io",
        ),
        ("fn f() { println!(\"\"); }", "println!"),
        ("dbg!(x)", "dbg!"),
        ("let x = std::env::var(\"X\");", "std::env"),
    ] {
        assert_eq!(sources::input_or_output(text), [used], "{text}");
    }
    let none = "use std::fmt::Write; use std::{iter, ops}; writeln!(text, \"x\");";
    assert_eq!(sources::input_or_output(none), [""; 0]);
}
