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
    name.push_str(&"[]".repeat(dimensions));
    name
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
