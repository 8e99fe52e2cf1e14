//! Names of classes, as a person writes them.

/// `java/util/Map$Entry` as `java.util.Map$Entry`, `[[I` as `int[][]`. Numbers that a JVM gives classes while it runs are
/// left out: they are others in the next run.
pub(super) fn class_name(raw: &str) -> String {
    let element = raw.trim_start_matches('[');
    let dimensions = raw.len() - element.len();
    let element = match (dimensions, element) {
        (0, name) => name,
        (_, "Z") => "boolean",
        (_, "B") => "byte",
        (_, "C") => "char",
        (_, "S") => "short",
        (_, "I") => "int",
        (_, "J") => "long",
        (_, "F") => "float",
        (_, "D") => "double",
        (_, name) => name.strip_prefix('L').unwrap_or(name).trim_end_matches(';'),
    };
    let mut name = folded(element).replace('/', ".");
    if name.starts_with("scala.") {
        name = in_scala(&name);
    }
    name.push_str(&"[]".repeat(dimensions));
    name
}

/// What stands for an operator in the name of a class of Scala's library, by the language's specification.
const OPERATORS: [(&str, &str); 18] = [
    ("$tilde", "~"),
    ("$eq", "="),
    ("$less", "<"),
    ("$greater", ">"),
    ("$bang", "!"),
    ("$hash", "#"),
    ("$percent", "%"),
    ("$up", "^"),
    ("$amp", "&"),
    ("$bar", "|"),
    ("$times", "*"),
    ("$div", "/"),
    ("$plus", "+"),
    ("$minus", "-"),
    ("$colon", ":"),
    ("$bslash", "\\"),
    ("$qmark", "?"),
    ("$at", "@"),
];

/// A name as Scala's source has it: `::` is the class `$colon$colon`.
fn in_scala(name: &str) -> String {
    let mut made = String::with_capacity(name.len());
    let mut rest = name;
    while let Some(first) = rest.chars().next() {
        let operator = OPERATORS.iter().find(|(written, _)| {
            let after = rest.strip_prefix(written);
            after.is_some_and(|after| !after.starts_with(|next: char| next.is_ascii_lowercase()))
        });
        if let Some((written, operator)) = operator {
            made.push_str(operator);
            rest = &rest[written.len()..];
        } else {
            made.push(first);
            rest = &rest[first.len_utf8()..];
        }
    }
    made
}

/// The name without what a JVM makes up while it runs.
fn folded(name: &str) -> &str {
    const LAMBDA: &str = "$$Lambda";
    const PROXY: &str = "$Proxy";
    if let Some(at) = name.find(LAMBDA) {
        return &name[..at + LAMBDA.len()];
    }
    let name = match name.find("+0x").or_else(|| name.find("/0x")) {
        Some(at) => &name[..at],
        None => name,
    };
    let plain = name.trim_end_matches(|digit: char| digit.is_ascii_digit());
    if plain.ends_with(PROXY) { plain } else { name }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_as_in_source_and_the_same_in_the_next_run() {
        assert_eq!(
            class_name("scala/collection/immutable/$colon$colon"),
            "scala.collection.immutable.::"
        );
        assert_eq!(class_name("[Lscala/$eq$colon$eq;"), "scala.=:=[]");
        assert_eq!(class_name("scala/Cart$attic"), "scala.Cart$attic");
        assert_eq!(class_name("shop/Cart$at"), "shop.Cart$at");
        for (raw, name) in [
            ("java/util/Map$Entry", "java.util.Map$Entry"),
            ("[[I", "int[][]"),
            ("[Ljava/lang/String;", "java.lang.String[]"),
            ("app/Main$$Lambda$14+0x0000000800c03000", "app.Main$$Lambda"),
            ("app/Main$$Lambda/0x0000000800c03000", "app.Main$$Lambda"),
            (
                "java/lang/invoke/LambdaForm$MH+0x00007f",
                "java.lang.invoke.LambdaForm$MH",
            ),
            ("jdk/proxy2/$Proxy17", "jdk.proxy2.$Proxy"),
            ("app/Vector3", "app.Vector3"),
            ("", ""),
        ] {
            assert_eq!(class_name(raw), name);
        }
    }
}
