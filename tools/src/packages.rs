//! Packages of Debian that more than one chore needs.

/// What the tests of the allocator models hold them against, the compiler of their probe, and a debugger for core files.
pub const LIBRARIES: &[&str] = &[
    "g++",
    "gcc",
    "gdb",
    "libc6-dev",
    "libgc1",
    "libjemalloc2",
    "libtcmalloc-minimal4",
    "libmimalloc2.0",
    "ruby",
];

/// What builds remedies and cases in C++: the cases hash with OpenSSL.
pub const CMAKE: &[&str] = &["cmake", "g++", "libssl-dev", "make"];

/// What programs of Crystal are built with, and the server that one of them talks to.
pub const CRYSTAL: &[&str] = &["crystal", "memcached"];
