//! Atomics and locks, and what a record can have itself in their place.

use deadweight_heap::{Representation, StandIn};

const TABLE: [(&str, StandIn); 7] = [
    (
        "java.util.concurrent.atomic.AtomicBoolean",
        StandIn::Field(Representation::Boolean),
    ),
    (
        "java.util.concurrent.atomic.AtomicInteger",
        StandIn::Field(Representation::Integer(4)),
    ),
    (
        "java.util.concurrent.atomic.AtomicLong",
        StandIn::Field(Representation::Integer(8)),
    ),
    (
        "java.util.concurrent.atomic.AtomicReference",
        StandIn::Field(Representation::Reference),
    ),
    ("java.lang.Object", StandIn::OwnLock),
    ("java.util.concurrent.locks.ReentrantLock", StandIn::OwnLock),
    // What such a lock has its state in, where it need not be fair.
    (
        "java.util.concurrent.locks.ReentrantLock$NonfairSync",
        StandIn::OwnLock,
    ),
];

/// What a record can have in place of an instance of exactly this class.
pub(super) fn of_class(class: &str) -> Option<StandIn> {
    let found = TABLE.iter().find(|(name, _)| *name == class);
    found.map(|(_, stand_in)| *stand_in)
}
