//! What of a class is the library's: of the JDK and of what the machine makes of functions.

use deadweight_heap::{Field, Makes, OfLibrary, TextId};
use rustc_hash::FxHashSet;

use super::classes::Class;

/// Classes of the library whose objects are values that a program makes: equal ones can be one.
const VALUES: [&str; 41] = [
    "java.awt.Color",
    "java.awt.Dimension",
    "java.awt.Insets",
    "java.awt.Point",
    "java.awt.Rectangle",
    "java.io.File",
    "java.math.BigDecimal",
    "java.math.BigInteger",
    "java.math.MathContext",
    "java.net.Inet4Address",
    "java.net.Inet6Address",
    "java.net.InetSocketAddress",
    "java.net.URI",
    "java.net.URL",
    "java.sql.Timestamp",
    "java.time.Duration",
    "java.time.LocalDate",
    "java.time.LocalDateTime",
    "java.time.LocalTime",
    "java.time.MonthDay",
    "java.time.OffsetDateTime",
    "java.time.OffsetTime",
    "java.time.Period",
    "java.time.Year",
    "java.time.YearMonth",
    "java.time.ZonedDateTime",
    "java.util.AbstractMap$SimpleEntry",
    "java.util.AbstractMap$SimpleImmutableEntry",
    "java.util.BitSet",
    "java.util.JumboEnumSet",
    "java.util.KeyValueHolder",
    "java.util.Locale",
    "java.util.Optional",
    "java.util.OptionalDouble",
    "java.util.OptionalInt",
    "java.util.OptionalLong",
    "java.util.RegularEnumSet",
    "java.util.UUID",
    "java.util.regex.Pattern",
    "javax.xml.namespace.QName",
    "sun.nio.fs.UnixPath",
];

/// Packages, those within them left out, whose fields hold what the program puts there.
const CARRIERS: [&str; 2] = ["java.util.", "java.lang.ref."];

/// The same with the packages within it.
const CARRIER_TREE: &str = "java.util.concurrent.";

/// Packages and classes that make the arrays of numbers in their fields themselves. No program hands these over.
const MAKERS: [&str; 9] = [
    "java.math.",
    "java.net.",
    "java.security.",
    "java.text.",
    "java.time.",
    "java.util.BitSet",
    "java.util.JumboEnumSet",
    "java.util.regex.",
    "sun.nio.fs.",
];

/// How the name of a class ends that the machine makes of a function: its fields are what the function has captured.
const LAMBDA: &str = "$$Lambda";

/// What of a class is the library's; `None` for one that is the program's alone. `fields` are its own and those it inherits.
pub(super) fn of_class(class: &Class, classes: &[Class], fields: &[Field]) -> Option<OfLibrary> {
    let of_library = |field: &&Field| classes[field.declared_by as usize].is_library;
    let library = fields.iter().filter(of_library).map(|field| field.name);
    let library: FxHashSet<TextId> = library.collect();
    if class.is_library {
        let is_in = |package: &&str| {
            let rest = class.name.strip_prefix(*package);
            rest.is_some_and(|rest| !rest.contains('.'))
        };
        let carries = class.name.starts_with(CARRIER_TREE) || CARRIERS.iter().any(is_in);
        return Some(OfLibrary {
            whole: !VALUES.contains(&class.name.as_str()),
            fields: if carries { FxHashSet::default() } else { library },
            closed: true,
            makes: Makes {
                empty: !carries,
                buffers: MAKERS.iter().any(|maker| class.name.starts_with(maker)),
                ..Makes::default()
            },
        });
    }
    let closed = class.name.ends_with(LAMBDA);
    (closed || !library.is_empty()).then(|| OfLibrary {
        fields: library,
        closed,
        ..OfLibrary::default()
    })
}
