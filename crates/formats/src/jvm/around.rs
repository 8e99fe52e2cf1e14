//! Classes whose instances stand for what they refer to: views of a container, immutable containers around an array, and
//! boxes for a value that may be absent or comes later. The holder of such an instance is the holder of its contents.

/// A class, and its field that refers to the contents.
const AROUND: [(&str, &str); 26] = [
    ("com.google.common.collect.RegularImmutableList", "array"),
    ("com.google.common.collect.RegularImmutableSet", "elements"),
    ("java.util.Collections$CheckedCollection", "c"),
    ("java.util.Collections$CheckedList", "list"),
    ("java.util.Collections$CheckedMap", "m"),
    ("java.util.Collections$SynchronizedCollection", "c"),
    ("java.util.Collections$SynchronizedList", "list"),
    ("java.util.Collections$SynchronizedMap", "m"),
    ("java.util.Collections$SynchronizedSortedMap", "sm"),
    ("java.util.Collections$SynchronizedSortedSet", "ss"),
    ("java.util.Collections$UnmodifiableCollection", "c"),
    ("java.util.Collections$UnmodifiableList", "list"),
    ("java.util.Collections$UnmodifiableMap", "m"),
    ("java.util.Collections$UnmodifiableNavigableMap", "nm"),
    ("java.util.Collections$UnmodifiableNavigableSet", "ns"),
    ("java.util.Collections$UnmodifiableSortedMap", "sm"),
    ("java.util.Collections$UnmodifiableSortedSet", "ss"),
    ("java.util.Optional", "value"),
    ("java.util.concurrent.atomic.AtomicReference", "value"),
    ("kotlin.SafePublicationLazyImpl", "_value"),
    ("kotlin.SynchronizedLazyImpl", "_value"),
    ("kotlin.UnsafeLazyImpl", "_value"),
    ("scala.Some", "value"),
    ("scala.collection.immutable.ArraySeq$ofRef", "unsafeArray"),
    ("scala.collection.mutable.ArrayBuffer", "array"),
    ("scala.collection.mutable.ArraySeq$ofRef", "array"),
];

/// Whether instances stand for what this field of their class refers to.
pub(super) fn stands_for(class: &str, field: &str) -> bool {
    AROUND.contains(&(class, field))
}
