//! Names as a person would write them, and kinds.

/// What puts the pieces of a text together where the source has `+`, by other methods in each version.
const PLUS: [&str; 2] = [
    "java/lang/StringConcatHelper",
    "java/lang/invoke/StringConcatFactory",
];

/// Whether a class makes what `+` makes of texts.
pub fn is_plus(class: &str) -> bool {
    PLUS.iter().any(|start| class.starts_with(start))
}

/// `com/shop/Order$Line` and `load`: `Order$Line.load`. What compilers make of a lambda is the method around it.
pub fn function(class: &str, method: &str) -> String {
    if is_plus(class) {
        return "StringConcatHelper.concat".to_owned();
    }
    let class = class.rsplit('/').next().unwrap_or_default();
    format!("{class}.{}", written(method))
}

/// `lambda$load$0` of Java's compiler, `$anonfun$load$1` of Scala's: `load`.
fn written(method: &str) -> &str {
    let inside = ["lambda$", "$anonfun$"]
        .into_iter()
        .find_map(|start| method.strip_prefix(start));
    let bare = inside.map(|inside| inside.rsplit_once('$').map_or(inside, |(name, _)| name));
    match bare {
        None | Some("") => method,
        // A field's value and a static one.
        Some("new") => "<init>",
        Some("static") => "<clinit>",
        Some(name) => name,
    }
}

/// A type as the source has it: `[Lcom/shop/Order;` is `com.shop.Order[]`. Classes of lambdas have numbers, which go.
pub fn type_name(signature: &str) -> String {
    let element = signature.trim_start_matches('[');
    let dimensions = signature.len() - element.len();
    let name = match element {
        "B" => "byte".to_owned(),
        "C" => "char".to_owned(),
        "D" => "double".to_owned(),
        "F" => "float".to_owned(),
        "I" => "int".to_owned(),
        "J" => "long".to_owned(),
        "S" => "short".to_owned(),
        "Z" => "boolean".to_owned(),
        class => {
            let class = class.trim_start_matches('L').trim_end_matches(';');
            match class.split_once("$$Lambda") {
                Some((host, _)) => host.replace('/', ".") + " lambda",
                None => class.replace('/', "."),
            }
        }
    };
    name + &"[]".repeat(dimensions)
}

/// What a type is, in the words of `docs/formats/churn.md`. `made_by` is the class whose method made it.
pub fn kind(signature: &str, made_by: &str) -> &'static str {
    match signature {
        "Ljava/lang/String;" | "Ljava/lang/StringBuilder;" | "Ljava/lang/StringBuffer;" => "string",
        "[B" | "[C" if is_of_texts(made_by) => "string",
        _ if signature.starts_with("[[") || signature.starts_with("[L") => {
            if TABLES.contains(&made_by) {
                "table"
            } else {
                "array"
            }
        }
        _ if signature.starts_with('[') => "buffer",
        _ if signature.contains("$$Lambda") => "closure",
        _ => {
            let class = signature.trim_start_matches('L').trim_end_matches(';');
            match class {
                _ if LISTS.contains(&class) => "array",
                _ if TABLES.contains(&class) || ENTRIES.contains(&class) => "table",
                _ if NUMBERS.contains(&class) => "number",
                _ if DATES.contains(&class) => "date",
                _ if OTHERS.iter().any(|start| class.starts_with(start)) => "opaque",
                _ => "record",
            }
        }
    }
}

/// Whether objects of a type and that kind are the bytes of a text, which is an object by itself.
pub fn is_text_of(signature: &str, kind: &str) -> bool {
    kind == "string" && signature.starts_with('[')
}

/// Classes that make the bytes of a text.
fn is_of_texts(class: &str) -> bool {
    class.starts_with("java/lang/String") || class == "java/lang/AbstractStringBuilder" || is_plus(class)
}

const LISTS: [&str; 7] = [
    "java/util/ArrayList",
    "java/util/LinkedList",
    "java/util/LinkedList$Node",
    "java/util/ArrayDeque",
    "java/util/ImmutableCollections$ListN",
    "java/util/ImmutableCollections$List12",
    "java/util/Arrays$ArrayList",
];

const TABLES: [&str; 9] = [
    "java/util/HashMap",
    "java/util/LinkedHashMap",
    "java/util/TreeMap",
    "java/util/HashSet",
    "java/util/LinkedHashSet",
    "java/util/TreeSet",
    "java/util/ImmutableCollections$MapN",
    "java/util/ImmutableCollections$SetN",
    "java/util/concurrent/ConcurrentHashMap",
];

/// What tables keep their entries in.
const ENTRIES: [&str; 5] = [
    "java/util/HashMap$Node",
    "java/util/HashMap$TreeNode",
    "java/util/LinkedHashMap$Entry",
    "java/util/TreeMap$Entry",
    "java/util/concurrent/ConcurrentHashMap$Node",
];

const NUMBERS: [&str; 10] = [
    "java/lang/Integer",
    "java/lang/Long",
    "java/lang/Double",
    "java/lang/Float",
    "java/lang/Short",
    "java/lang/Byte",
    "java/lang/Character",
    "java/lang/Boolean",
    "java/math/BigInteger",
    "java/math/BigDecimal",
];

const DATES: [&str; 5] = [
    "java/util/Date",
    "java/time/LocalDate",
    "java/time/LocalDateTime",
    "java/time/Instant",
    "java/time/ZonedDateTime",
];

/// Classes of the machine's and of languages' own libraries: objects of no kind that a rule looks for.
const OTHERS: [&str; 8] = [
    "java/", "javax/", "jdk/", "sun/", "com/sun/", "kotlin/", "scala/", "groovy/",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_the_source() {
        assert_eq!(function("com/shop/Order$Line", "load"), "Order$Line.load");
        assert_eq!(function("Main", "lambda$main$0"), "Main.main");
        assert_eq!(function("Main", "lambda$new$12"), "Main.<init>");
        assert_eq!(function("Main$", "$anonfun$sum$1"), "Main$.sum");
        assert_eq!(function("Main", "<init>"), "Main.<init>");
        assert_eq!(
            function("java/lang/StringConcatHelper", "newArray"),
            "StringConcatHelper.concat"
        );
        assert_eq!(type_name("[[I"), "int[][]");
        assert_eq!(type_name("[Lcom/shop/Order;"), "com.shop.Order[]");
        assert_eq!(
            type_name("Lcom/shop/Order$$Lambda.0x0000012;"),
            "com.shop.Order lambda"
        );
    }

    #[test]
    fn bytes_of_texts_are_no_buffers() {
        assert_eq!(kind("[B", "java/lang/StringLatin1"), "string");
        assert_eq!(kind("[B", "com/shop/Reader"), "buffer");
        assert_eq!(kind("[Ljava/util/HashMap$Node;", "java/util/HashMap"), "table");
        assert_eq!(kind("[Ljava/lang/Object;", "java/util/ArrayList"), "array");
        assert_eq!(kind("Ljava/util/HashMap$Node;", "java/util/HashMap"), "table");
        assert_eq!(
            kind("Ljava/util/stream/ReduceOps$3;", "java/util/stream/ReduceOps"),
            "opaque"
        );
        assert_eq!(kind("Lcom/shop/Order;", "com/shop/Loader"), "record");
        assert_eq!(kind("Lcom/shop/Order$$Lambda.0x12;", "com/shop/Order"), "closure");
    }
}
