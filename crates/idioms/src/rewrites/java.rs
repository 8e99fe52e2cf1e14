//! Rewrites of Java, run by Java.

use std::fmt::Write as _;
use std::fs;

use super::{ALWAYS, Case, compared, every_rewrite_is_in, has_condition, rewritten};
use crate::Language;

/// Lists, texts, and lists with elements that are null.
pub(super) const CASES: &[Case] = &[
    Case(
        "list(v).stream().filter(x -> x > 1).toList().size()",
        "LISTS",
        "true",
    ),
    Case(
        "list(v).stream().collect(Collectors.toList()).size()",
        "LISTS",
        "true",
    ),
    Case("text(v).lines().toArray().length", "TEXTS", "true"),
    Case(
        "list(v).stream().map(x -> x + 1).toList().isEmpty()",
        "LISTS",
        "true",
    ),
    Case(
        "list(v).stream().collect(Collectors.toUnmodifiableSet()).isEmpty()",
        "LISTS",
        "true",
    ),
    Case(
        "list(v).stream().map(x -> -x).toList().stream().mapToInt(x -> x).sum()",
        "LISTS",
        "true",
    ),
    Case(
        "list(v).stream().collect(Collectors.toList()).stream().anyMatch(x -> x > 2)",
        "LISTS",
        "true",
    ),
    Case(
        "list(v).stream().sorted((a, b) -> a % 3 - b % 3).findFirst()",
        "LISTS",
        "true",
    ),
    Case("list(v).stream().sorted().findFirst()", "LISTS", "true"),
    Case("new ArrayList<>(list(v)).size()", "NULLS", "true"),
    Case("new LinkedList<>(list(v)).contains(3)", "NULLS", "true"),
    Case("new ArrayList<Integer>(list(v)).isEmpty()", "NULLS", "true"),
    Case("new HashSet<>(list(v)).contains(2)", "NULLS", "true"),
    Case(
        "text(v).substring(2).startsWith(\"a\")",
        "TEXTS",
        "text(v).length() >= 2",
    ),
    Case(
        "Integer.parseInt(text(v).substring(1, 3))",
        "TEXTS",
        "text(v).length() >= 3",
    ),
    Case(
        "Long.parseLong(text(v).substring(0, text(v).length()))",
        "TEXTS",
        ALWAYS_TRUE,
    ),
    Case(
        "text(v).trim().isEmpty()",
        "TEXTS",
        "text(v).chars().allMatch(c -> c == ' ' || c == 9 || c == 10 || c == 13 || c > 32 && c < 127)",
    ),
    Case("text(v).strip().isEmpty()", "TEXTS", ALWAYS),
];

/// A condition that every input meets.
const ALWAYS_TRUE: &str = "true";

/// What compares two ways on all inputs, and the inputs.
pub(super) const PROGRAM: &str = r#"
    static List<Object> TEXTS = new ArrayList<>(), LISTS = new ArrayList<>(), NULLS = new ArrayList<>();
    static int compared;
    interface Ask { Object of(Object value); }
    interface On { boolean holds(Object value); }
    static String text(Object v) { return (String) v; }
    @SuppressWarnings("unchecked") static List<Integer> list(Object v) { return (List<Integer>) v; }
    static Object answer(Ask ask, Object value) {
        try { return String.valueOf(ask.of(value)); }
        catch (RuntimeException error) { return error.getClass().getSimpleName(); }
    }
    static void pair(String code, Ask before, Ask after, List<Object> values, On on) {
        for (Object value : values) {
            if (!on.holds(value)) continue;
            compared++;
            Object want = answer(before, value), got = answer(after, value);
            if (!want.equals(got)) System.out.println(code + " of " + value + ": " + want + " rewritten " + got);
        }
    }
    static void inputs() {
        Random chance = new Random(7);
        String[] pieces = {"a", "1", "23", " ", "\n", "\r\n", "\t", "-", "é", "日", "\u00a0", "\u2003"};
        for (String text : new String[] {"", " ", "  ", "12", "123", "-12", "a\nb", "a\nb\n", "\n", "  a"}) TEXTS.add(text);
        for (int i = 0; i < 400; i++) {
            StringBuilder text = new StringBuilder();
            for (int k = chance.nextInt(7); k > 0; k--) text.append(pieces[chance.nextInt(pieces.length)]);
            TEXTS.add(text.toString());
            List<Integer> list = new ArrayList<>();
            for (int k = chance.nextInt(6); k > 0; k--) list.add(chance.nextInt(5));
            LISTS.add(list);
            List<Integer> some = new ArrayList<>(list);
            if (chance.nextBoolean()) some.add(null);
            NULLS.add(some);
        }
    }
"#;

#[test]
fn rewrites_answer_as_before() {
    let home = tempfile::tempdir().unwrap();
    let mut pairs = String::new();
    let mut methods = String::new();
    for (number, case) in CASES.iter().enumerate() {
        let Case(expression, values, when) = case;
        let source = format!("class F {{\nObject f(Object v) {{\nreturn {expression};\n}}\n}}");
        let after = rewritten(Language::Java, &source);
        has_condition(Language::Java, case, &after);
        let when = if *when == ALWAYS { ALWAYS_TRUE } else { when };
        writeln!(
            methods,
            "static Object before{number}(Object v) {{\nreturn {expression};\n}}\n\
             static Object after{number}(Object v) {{\n{}\n}}",
            after.join("\n")
        )
        .unwrap();
        writeln!(
            pairs,
            "pair({expression:?}, Program::before{number}, Program::after{number}, {values}, v -> {when});"
        )
        .unwrap();
    }
    let program = format!(
        "import java.util.*;\nimport java.util.stream.*;\npublic class Program {{\n{PROGRAM}\n{methods}\n\
         public static void main(String[] arguments) {{\ninputs();\n{pairs}\nSystem.out.println(\"compared \" + compared);\n}}\n}}\n"
    );
    let path = home.path().join("Program.java");
    fs::write(&path, &program).unwrap();
    compared(&path, "java", 3_000);
}

#[test]
fn every_rewrite_is_tried() {
    let sources: Vec<String> = CASES
        .iter()
        .map(|Case(expression, ..)| {
            format!("class F {{\nObject f(Object v) {{\nreturn {expression};\n}}\n}}")
        })
        .collect();
    every_rewrite_is_in(Language::Java, sources.iter().map(String::as_str));
}
