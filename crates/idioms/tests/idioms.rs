//! Idioms in small sources: what is found, and how it would read.

use deadweight_heap::churn::{Antipattern, AntipatternKind, Remains};
use deadweight_idioms::{Language, antipatterns_in};

/// What is wasteful in a text: a list that is written out need not be.
fn found(language: Language, text: &str) -> Vec<Antipattern> {
    let mut found = antipatterns_in(text, language, "f").expect("the grammar loads");
    found.retain(|antipattern| antipattern.kind != AntipatternKind::Literal);
    found
}

/// How the one antipattern in a text would read, without what is said above it.
fn rewritten(language: Language, text: &str) -> String {
    let found = found(language, text);
    let [antipattern] = &found[..] else {
        panic!("{text}: {found:?}");
    };
    let rewrite = antipattern
        .rewrite
        .as_ref()
        .unwrap_or_else(|| panic!("{text}: {antipattern:?}"));
    let mut lines: Vec<&str> = rewrite.after.iter().map(String::as_str).collect();
    lines.retain(|line| !line.trim_start().starts_with(['#', '/']));
    lines.join("\n")
}

#[test]
fn ruby() {
    for (before, after) in [
        (
            "ok = html.lines.count < 50",
            "ok = html.each_line.first(50).size < 50",
        ),
        (
            "x if body.lines.size > 50",
            "x if body.each_line.first(51).size > 50",
        ),
        (
            "n = @r.split(\",\").size",
            "n = @r.empty? || @r.end_with?(\",\".freeze) ? @r.split(\",\".freeze).size : @r.count(\",\".freeze) + 1",
        ),
        (
            "n = 2 * @r.split('|').size",
            "n = 2 * (@r.empty? || @r.end_with?('|'.freeze) ? @r.split('|'.freeze).size : @r.count('|'.freeze) + 1)",
        ),
        (
            "n = row&.split(\",\")&.size",
            "n = row&.then { |text| text.empty? || text.end_with?(\",\".freeze) ? text.split(\",\".freeze).size : \
             text.count(\",\".freeze) + 1 }",
        ),
        (
            "a.map { |x| x.tags }.flatten",
            "a.flat_map { |x| x.tags }.tap(&:flatten!)",
        ),
        ("a&.map(&:tags)&.flatten", "a&.flat_map(&:tags)&.tap(&:flatten!)"),
        ("a.select(&:ok?).size", "a.count(&:ok?)"),
        ("a.map(&:n).sum", "a.sum(&:n)"),
        ("a.sort_by { |x| x.n }.first", "a.min_by { |x| x.n }"),
        ("a.sort_by(&:n)[-1]", "a.max_by(&:n)"),
        ("n = row.scan(\",\").size", "n = row.count(\",\".freeze)"),
        ("s.chars.first", "s[0]"),
        ("a.select { |x| x > 1 }.first", "a.find { |x| x > 1 }"),
        ("a.filter { |x| x > 1 }.size", "a.count { |x| x > 1 }"),
        ("h.keys.include?(k)", "h.key?(k)"),
        ("h.keys.include? k", "h.key?(k)"),
        ("h.keys.each { |k| f(k) }", "h.each_key { |k| f(k) }"),
        (
            "h.keys.each { |k| f(h[k], h.fetch(k)) }",
            "h.each_key { |k| f(h[k], h.fetch(k)) }",
        ),
        ("h&.keys&.size", "h&.size"),
        (
            "a.map { |x| x.tags.map(&:name) }.flatten",
            "a.flat_map { |x| x.tags.map(&:name) }.tap(&:flatten!)",
        ),
        (
            "h.values.each do |v|\n  f(v)\nend",
            "h.each_value do |v|\n  f(v)\nend",
        ),
        ("h.keys.size", "h.size"),
        ("a.sort.first", "a.min"),
        ("a.reverse.each { |x| f(x) }", "a.reverse_each { |x| f(x) }"),
        ("s.chars.size", "s.size"),
        ("logger.debug \"took #{t}\"", "logger.debug { \"took #{t}\" }"),
        ("$log.debug \"took #{t}\"", "$log.debug { \"took #{t}\" }"),
    ] {
        assert_eq!(rewritten(Language::Ruby, before), after);
    }
}

/// Every form in which lines are made to be counted.
#[test]
fn ruby_that_counts_lines() {
    let in_blocks = |path: &str| {
        format!(
            "File.open({path}, 'rb') {{ |file; lines, open, block| lines, open, block = 0, false, String.new; \
             (file.read(16_384, block); lines += block.count(\"\\n\"); open = !block.end_with?(\"\\n\")) until \
             file.eof?; open ? lines + 1 : lines }}"
        )
    };
    let exact = |text: &str| {
        format!("{text}.b.count(\"\\n\") + ({text}.empty? || {text}.end_with?(\"\\n\") ? 0 : 1)")
    };
    let program = |line: &str| format!("# frozen_string_literal: true\ndef f(t, n)\n  {line}\nend");
    let last = |line: &str| rewritten(Language::Ruby, &program(line)).trim().to_owned();
    for form in [
        "t.lines.count",
        "t.lines.size",
        "t.lines.length",
        "t.lines(chomp: true).size",
        "(t.lines).size",
        "t.each_line.count",
        "t.each_line(chomp: true).count",
        "t.each_line.to_a.size",
        "t.each_line.to_a.length",
        "t.each_line.entries.count",
    ] {
        assert_eq!(last(form), exact("t"), "{form}");
        assert_eq!(last(&format!("x = {form}")), format!("x = {}", exact("t")));
        assert_eq!(
            last(&format!("g({form} * 2) if y")),
            format!("g(({}) * 2) if y", exact("t"))
        );
        // With what the call is handed the answer may be another.
        let handed = form
            .replace("chomp: true", "n")
            .replace("lines.", "lines(n).")
            .replace("(t.lines)", "t.lines(n)");
        let handed = handed.replace("each_line.", "each_line(n).");
        if !form.ends_with("line.count") && !form.ends_with("true).count") {
            assert_eq!(last(&handed), "t.each_line(n).count", "{handed}");
        }
    }
    let bind =
        "b.lines.then { |text| text.b.count(\"\\n\") + (text.empty? || text.end_with?(\"\\n\") ? 0 : 1) }";
    for (before, after) in [
        // What is a method is called once.
        ("page.body.lines.count", bind.replace("b.lines", "page.body")),
        ("body.lines.count", bind.replace("b.lines", "body")),
        ("t&.lines&.count", bind.replace("b.lines.", "t&.")),
        ("@t.lines.count", exact("@t")),
        (
            "t.lines.count <= 50 ? a : b",
            "t.each_line.first(51).size <= 50 ? a : b".to_owned(),
        ),
        (
            "raise X unless t.lines.count >= 50",
            "raise X unless t.each_line.first(50).size >= 50".to_owned(),
        ),
        (
            "(t.lines.count) < 50 && t.match?(/a/)",
            "t.each_line.first(50).size < 50 && t.match?(/a/)".to_owned(),
        ),
        ("50 > t.lines.count", "50 > t.each_line.first(50).size".to_owned()),
        (
            "50 == t.lines.count",
            "50 == t.each_line.first(51).size".to_owned(),
        ),
        (
            "t.lines(n, chomp: true).size < 50",
            "t.each_line(n, chomp: true).first(50).size < 50".to_owned(),
        ),
        (
            "t&.lines&.count == 50",
            "t&.each_line&.first(51)&.size == 50".to_owned(),
        ),
        (
            "t.each_line.to_a.size < 50",
            "t.each_line.first(50).size < 50".to_owned(),
        ),
        ("t.lines.first(50).size", "t.each_line.first(50).size".to_owned()),
        ("t.lines.first", "t.each_line.first".to_owned()),
        ("t.lines[0]", "t.each_line.first".to_owned()),
        ("t.lines.empty?", "t.empty?".to_owned()),
        ("t.lines.each { |l| g(l) }", "t.each_line { |l| g(l) }".to_owned()),
        (
            "t.lines.count { |l| g(l) }",
            "t.each_line.count { |l| g(l) }".to_owned(),
        ),
        ("File.readlines(t).size", in_blocks("t")),
        ("File.foreach(t).to_a.size", in_blocks("t")),
        ("File.foreach(t[0]).count", in_blocks("t[0]")),
        (
            "File.readlines(t, chomp: true).size",
            "File.foreach(t, chomp: true).count".to_owned(),
        ),
        (
            "::IO.readlines(t, n, chomp: true).length",
            "::IO.foreach(t, n, chomp: true).count".to_owned(),
        ),
        (
            "File.readlines(t).size > 50",
            "File.foreach(t).first(51).size > 50".to_owned(),
        ),
        ("IO.foreach(t).to_a.size", "IO.foreach(t).count".to_owned()),
        ("$stdin.readlines.size", "$stdin.each_line.count".to_owned()),
        ("STDIN.readlines.size", "STDIN.each_line.count".to_owned()),
        ("$stdin.each_line.to_a.size", "$stdin.each_line.count".to_owned()),
    ] {
        assert_eq!(last(before), after, "{before}");
    }
    // A chain over several lines is one line then.
    assert_eq!(last("t\n    .lines\n    .count"), exact("t"));
    // A string that is not frozen is made for each call.
    let thawed = rewritten(Language::Ruby, "def f(t)\n  t.lines.count\nend");
    assert_eq!(thawed.matches("\"\\n\".freeze").count(), 2, "{thawed}");
    // Where lines end with something else, only what asks for it as well does the same.
    let set = "def f(t)\n  $/ = \";\"\n  t.lines.count\nend";
    assert_eq!(rewritten(Language::Ruby, set).trim(), "t.each_line.count");
    // Nothing has no lines, but one of these calls raises then.
    let antipattern = &found(Language::Ruby, "t&.lines.count")[0];
    assert_eq!(antipattern.rewrite, None);
    for other in [
        "Dir.readlines(t).size",
        "lines.count",
        "t.lines(&g).count",
        "t.lines.count(x)",
    ] {
        assert_eq!(found(Language::Ruby, other), [], "{other}");
    }
}

#[test]
fn ruby_that_is_fine() {
    for text in [
        "lines = html.lines\nlines.count",
        "html.lines(chomp: true).map { |l| f(l) }",
        "html.each_line.first(50).size",
        "$stdin.each_line.count",
        "File.open(path).each_line.count",
        "@io.each_line.count",
        "File.foreach(path).first(50).size",
        "File.foreach(*paths).count",
        "File.foreach(path, chomp: true).count",
        "IO.foreach(path).count",
        "path.each_line.to_a",
        "a.map { |x| x }.flatten(1)",
        "a.select { |x| x }.first(3)",
        "row.split(/,/).size",
        "row.split(\"ab\").size",
        "row.split('\\n').size",
        "row.split(' ').size",
        "logger.debug { \"took #{t}\" }",
        "logger.debug \"started\"",
        "catalog.debug \"took #{t}\"",
        "NAMES.include?(x)",
        "[a, b].include?(x)",
        "f(x, [1])",
    ] {
        assert_eq!(found(Language::Ruby, text), [], "{text}");
    }
}

/// The copy is there so that the hash can change, somebody asks what is returned, or a block does more than answer.
#[test]
fn ruby_that_would_mean_something_else() {
    for text in [
        "h.keys.each { |k| h[k.to_sym] = h.delete(k) }",
        "h.keys.each { |k| h.delete(k) if old?(k) }",
        "h.keys.each { |k| drop(h, k) }",
        "@h.keys.each { |k| @h[k] ||= 1 }",
        "self.keys.each { |k| delete(k) }",
        "h.values.each do |v|\n  h[v + 'x'] ||= v\nend",
        "n = h.keys.each { |k| f(k) }",
        "h.keys.each { |k| f(k) }.size",
        "a.reverse.each { |x| a.delete(x) if x > 2 }",
        "a.reverse.each { |x| f(x) }.first",
        "a.select { |x| seen << x; x > 1 }.first",
        "a.select { |x| @seen = x }.first",
        "a.select { |x| keep!(x) }.first",
        "a.map { |x| [x, [x, 1]] }.flatten",
        "a.map { |x| [x.id, x.tags.map(&:name)] }.flatten",
        "a.map { |x| x.rows.map { |r| [r.a, r.b] } }.flatten",
        "a.map { |x| x.zip(b) }.flatten",
        "row.split(\"#{mark}\").size",
        "row.split(\"#{mark},\").size",
        "Regexp.new(\"^#{prefix}a+\")",
        "[\"a#{x}\", \"b\"].include?(y)",
        "a.each_with_object([]) { |x, all| all << x }",
        "a.inject({}) { |all, x| f(all, x) }",
    ] {
        assert_eq!(found(Language::Ruby, text), [], "{text}");
    }
}

#[test]
fn javascript_that_would_mean_something_else() {
    for (before, after) in [
        ("x = t?.split(',')[0]", "x = t?.split(',', 1)[0]"),
        ("x = a?.filter(f)?.[0]", "x = a?.find(f)"),
        ("x = o.a?.map(f).flat()", "x = o.a?.flatMap(f)"),
        (
            "if (t?.split(',').length < 5) f()",
            "if (t?.split(',', 5).length < 5) f()",
        ),
    ] {
        assert_eq!(rewritten(Language::JavaScript, before), after);
        assert_eq!(rewritten(Language::TypeScript, before), after);
    }
    // Nothing is not 0, but it is no `true` either.
    let antipattern = &found(Language::JavaScript, "if (a?.filter(f).length !== 0) g()")[0];
    assert_eq!(antipattern.rewrite, None);
    for text in [
        "for (const k of Object.keys(o)) delete o[k]",
        "for (const k of Object.keys(o)) { o[k + '_'] = o[k] }",
        "for (const k of Object.keys(o)) { drop(o, k) }",
        "Object.keys(o).forEach((k) => { o[k]++ })",
        "x = a.filter((y) => { n++; return y > 1 })[0]",
        "x = new Date(at).getTime()",
        "new Intl.NumberFormat(locale).format(x)",
        "new Intl.NumberFormat('de', { currency }).format(x)",
    ] {
        assert_eq!(found(Language::JavaScript, text), [], "{text}");
    }
    for (text, assumes) in [
        ("r = new RegExp('a+', 'g')", true),
        ("r = new RegExp('a+', 'i')", false),
        ("r = new RegExp('a+')", false),
        ("for (const k of Object.keys(o)) f(k, o[k], o.x)", true),
        ("new Date().getTime()", false),
        ("new Intl.NumberFormat('de', { style: 'unit' }).format(x)", false),
        ("const L = 'de';\nnew Intl.NumberFormat(L).format(x)", false),
    ] {
        let found = found(Language::JavaScript, text);
        assert_eq!(found.len(), 1, "{text}");
        assert_eq!(found[0].assumes.is_some(), assumes, "{text}");
    }
}

#[test]
fn python_and_java_that_would_mean_something_else() {
    for text in [
        "n = len(shlex.split(\"a b\"))",
        "n = len(frame.name.str.split(\",\"))",
        "n = len(os.path.split(\"a/b\"))",
        "for k in list(d.keys()):\n    del d[k]",
        "for k in list(d):\n    f(k)",
        "for k, v in list(d.items()):\n    if v:\n        d.pop(k)",
        "for k in list(d.keys()):\n    d[k + 'x'] = d[k]",
        "re.compile(f\"{prefix}a+\")",
        "d.setdefault(k, []).append(v)",
        "sum(lists, [])",
    ] {
        assert_eq!(found(Language::Python, text), [], "{text}");
    }
    let read = "for k in list(d.keys()):\n    f(d[k], d.get(k))";
    assert_eq!(found(Language::Python, read).len(), 1);
    for expression in [
        "s.collect(Collectors.toSet()).size()",
        "s.collect(Collectors.groupingBy(f)).size()",
        "s.collect(Collectors.joining(\",\")).isEmpty()",
        "s.collect(Collectors.joining()).isEmpty()",
        "m.put(k, new ArrayList<>())",
        "m.putIfAbsent(k, new ArrayList<>())",
        "Collections.newSetFromMap(new HashMap<>())",
    ] {
        let text = format!("class A {{ void f() {{ {expression}; }} }}");
        assert_eq!(found(Language::Java, &text), [], "{text}");
    }
    for (before, after) in [
        ("s.collect(Collectors.toList()).size()", "s.count()"),
        ("s.toList().isEmpty()", "s.findAny().isEmpty()"),
        ("s.collect(Collectors.toSet()).isEmpty()", "s.findAny().isEmpty()"),
    ] {
        let of = |expression: &str| format!("class A {{ void f() {{ {expression}; }} }}");
        assert_eq!(rewritten(Language::Java, &of(before)), of(after));
    }
}

/// Engines of JavaScript do not say how many lists there were: what is named then is a way that makes none.
#[test]
fn a_bound_has_a_way_that_leaves_nothing() {
    for (text, stop) in [
        ("t.split(',').length < 7", "at it"),
        ("t.split(',').length > 7", "behind it"),
    ] {
        let antipattern = &found(Language::JavaScript, text)[0];
        assert!(matches!(antipattern.remains, Remains::AtMost(_)));
        let uncounted = &antipattern.uncounted;
        assert!(
            uncounted.contains("indexOf") && uncounted.contains(stop),
            "{uncounted}"
        );
    }
    assert_eq!(
        found(Language::JavaScript, "t.split(',').length")[0].uncounted,
        ""
    );
}

#[test]
fn bounds_decide_what_is_left() {
    let remains = |text| found(Language::Ruby, text)[0].remains;
    assert_eq!(remains("html.lines.count < 1_000"), Remains::AtMost(1000));
    assert_eq!(remains("html.lines.count <= 50"), Remains::AtMost(51));
    assert_eq!(remains("MOST = 50\nhtml.lines.count < MOST"), Remains::AtMost(50));
    // A bound that is not known until it runs: what is left is not known, so only the count itself is rewritten.
    assert_eq!(remains("html.lines.count < most"), Remains::View);
}

#[test]
fn wastes_without_a_rewrite() {
    for (language, text, kind) in [
        (
            Language::Ruby,
            "[\"a\", \"b\"].include?(x)",
            AntipatternKind::Constant,
        ),
        (Language::Ruby, "Regexp.new(\"a+\")", AntipatternKind::Constant),
        (Language::Ruby, "send(key, [])", AntipatternKind::Empty),
        (Language::Crystal, "send(key, {})", AntipatternKind::Empty),
        (
            Language::JavaScript,
            "n = t.split('\\n').length",
            AntipatternKind::ThrownAway,
        ),
        (
            Language::JavaScript,
            "n = Object.keys(o).length",
            AntipatternKind::ThrownAway,
        ),
        (
            Language::JavaScript,
            "Object.entries(o).forEach(f)",
            AntipatternKind::ThrownAway,
        ),
        (
            Language::JavaScript,
            "for (const k of Object.keys(o)) f(k)",
            AntipatternKind::ThrownAway,
        ),
        (
            Language::JavaScript,
            "r = new RegExp('a+', 'g')",
            AntipatternKind::Constant,
        ),
        (
            Language::JavaScript,
            "new Intl.NumberFormat('de').format(x)",
            AntipatternKind::Constant,
        ),
        (
            Language::TypeScript,
            "log.debug(`took ${t as number}`)",
            AntipatternKind::Log,
        ),
        (
            Language::Python,
            "any([x > 1 for x in a])",
            AntipatternKind::ThrownAway,
        ),
        (
            Language::Python,
            "len([x for x in a if x > 1])",
            AntipatternKind::ThrownAway,
        ),
        (
            Language::Java,
            "class A { int f(Path p) { return Files.readAllLines(p).size(); } }",
            AntipatternKind::ThrownAway,
        ),
        (
            Language::Python,
            "logger.debug(f\"took {t}\")",
            AntipatternKind::Log,
        ),
        (Language::Python, "re.compile(\"a+\")", AntipatternKind::Constant),
        (Language::Python, "send(key, [])", AntipatternKind::Empty),
        (
            Language::Java,
            "class A { int f(String s) { return s.split(\",\").length; } }",
            AntipatternKind::ThrownAway,
        ),
        (
            Language::Java,
            "class A { void f() { log.debug(\"took \" + t); } }",
            AntipatternKind::Log,
        ),
        (
            Language::Java,
            "class A { void f() { send(new ArrayList<>()); } }",
            AntipatternKind::Empty,
        ),
        (
            Language::Java,
            "class A { void f() { Pattern.compile(\"a\"); } }",
            AntipatternKind::Constant,
        ),
    ] {
        let found = found(language, text);
        assert_eq!(
            found.iter().map(|one| one.kind).collect::<Vec<_>>(),
            [kind],
            "{text}"
        );
    }
}

#[test]
fn javascript_and_typescript() {
    for (before, after) in [
        (
            "if (t.split('\\n').length < 50) f()",
            "if (t.split('\\n', 50).length < 50) f()",
        ),
        (
            "if (t.split('\\n').length > 50) f()",
            "if (t.split('\\n', 51).length > 50) f()",
        ),
        (
            "if (50 < t.split('\\n').length) f()",
            "if (50 < t.split('\\n', 51).length) f()",
        ),
        (
            "if (50 >= t.split('\\n').length) f()",
            "if (50 >= t.split('\\n', 51).length) f()",
        ),
        (
            "if (50 > t.split('\\n').length) f()",
            "if (50 > t.split('\\n', 50).length) f()",
        ),
        ("x = a.map(f).flat()", "x = a.flatMap(f)"),
        ("x = a.filter(f)[0]", "x = a.find(f)"),
        (
            "if (a.filter((x) => x > 1).length > 0) g()",
            "if (a.some((x) => x > 1)) g()",
        ),
        ("Object.keys(o).includes(k)", "Object.hasOwn(o, k)"),
        ("x = t.split('?')[0]", "x = t.split('?', 1)[0]"),
    ] {
        assert_eq!(rewritten(Language::JavaScript, before), after);
        assert_eq!(rewritten(Language::TypeScript, before), after);
    }
    for text in [
        "const parts = t.split(','); parts.length",
        "t.split(',', 3).length",
        "a.map(f).flat(2)",
        "new RegExp(pattern)",
        "o.keys().length",
        "console.log(`took ${t}`)",
    ] {
        assert_eq!(found(Language::JavaScript, text), [], "{text}");
    }
}

#[test]
fn python_and_java() {
    for (before, after) in [
        ("n = len(row.split(\",\"))", "n = row.count(\",\") + 1"),
        ("n = len(text.splitlines())", "n = text.count(\"\\n\")"),
        ("x = sorted(a)[0]", "x = min(a)"),
        ("n = len(list(d.keys()))", "n = len(d)"),
        ("ok = k in d.keys()", "ok = k in d"),
    ] {
        assert_eq!(rewritten(Language::Python, before), after);
    }
    let lines = "class A { long f(String s) { return s.lines().toArray().length; } }";
    assert_eq!(
        rewritten(Language::Java, lines),
        "class A { long f(String s) { return s.lines().count(); } }"
    );
    // A list's own elements are no stream.
    let list = "class A { long f() { return list.toArray().length; } }";
    assert_eq!(found(Language::Java, list), []);
    let java = "class A { long f() { return a.stream().filter(x).toList().size(); } }";
    assert_eq!(
        rewritten(Language::Java, java),
        "class A { long f() { return a.stream().filter(x).count(); } }"
    );
}

#[test]
fn crystal_as_far_as_rubys_grammar_reads_it() {
    assert_eq!(
        rewritten(
            Language::Crystal,
            "def f(t : String) : Int32\n  t.lines.size\nend"
        ),
        "  t.each_line.size"
    );
    assert_eq!(rewritten(Language::Crystal, "h.keys.size"), "h.size");
    let logged = found(
        Language::Crystal,
        "def f(k : String)\n  Log.info { \"get #{k}\" }\nend",
    );
    assert_eq!(
        (logged.len(), logged[0].kind, logged[0].lines),
        (1, AntipatternKind::WrittenLog, (2, 2))
    );
    let table = "CODES = {\n  \"get\" => 1_u8,\n}\ndef write(name)\n  [CODES[name], LIST[name]]\nend";
    let looked_up = found(Language::Crystal, table);
    assert_eq!(
        (
            looked_up.len(),
            looked_up[0].kind,
            looked_up[0].code.as_str(),
            looked_up[0].lines
        ),
        (1, AntipatternKind::LookedUp, "CODES[name]", (5, 5))
    );
    for fine in [
        "CODES = {1 => 2}\nCODES[name]",
        "CODES = [\"a\"]\nCODES[0]",
        "Log.info { \"started\" }",
        "each { \"a #{b}\" }",
        "catalog.info { \"a #{b}\" }",
    ] {
        assert!(found(Language::Crystal, fine).is_empty(), "{fine}");
    }
}

#[test]
fn functions_are_named_by_where_their_parameters_begin() {
    let text = "function count(t) {\n  return t.split(',').length;\n}\nfunction caller(t) { return count(t); }\nconst f = x => x.split(',').length;\n";
    let found = found(Language::JavaScript, text);
    assert_eq!(found.len(), 2);
    // The caller, into which an engine may move the code, counts too.
    assert_eq!(found[0].functions, [(1, 15), (4, 16)]);
    assert_eq!(found[1].functions, [(5, 11)]);
    assert!(found.iter().all(|antipattern| antipattern.sole));
}

#[test]
fn broken_and_odd_sources_are_passed_over() {
    for text in [
        "",
        "\u{0}\u{1}",
        "def f(",
        "((((((",
        "é = \"ü\".lines.count <",
        "a.lines.count < 99999999999999999999999",
    ] {
        for language in [
            Language::Ruby,
            Language::JavaScript,
            Language::Python,
            Language::Java,
        ] {
            let _ = found(language, text);
        }
    }
    let deep = "(".repeat(2_000);
    let _ = found(Language::JavaScript, &deep);
}
