//! What chores and experiments run: commands, Node.js in the versions that everything is tested on, what there is of Python,
//! packages of the system, Zig to link for others, and the machine that figures were measured on.

pub mod consent;
pub mod cpu;
pub mod debian;
pub mod jars;
pub mod jdk;
pub mod machine;
pub mod nodes;
pub mod npm;
pub mod packages;
pub mod parallel;
pub mod pythons;
pub mod shell;
pub mod workspace;
pub mod zig;
