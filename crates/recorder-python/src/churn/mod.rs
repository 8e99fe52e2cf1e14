//! What a process makes and throws away: each block that the interpreter asks its allocators for, by the functions that
//! ran and by what it is. What comes of it is `docs/formats/churn.md`.
//!
//! `hooks` stands before the allocators of objects and of memory (`PyMem_SetAllocator`). With every block recorded, each
//! one has a number beside it (`beside`) by which its row is found when it is freed; its type is read then, because
//! the allocator is only told a size. Sampled, a countdown of bytes decides at each block whether it is one of the few that
//! are recorded, and a filter says of each that is freed whether it may be one of those.
//!
//! **Invariant: nothing within a hook allocates of the interpreter or runs its code.** It reads frames and objects as they
//! lie in memory, and counts one reference more to each code object that it meets, which so keeps its address.

mod beside;
mod callers;
mod calls;
mod charges;
mod countdown;
mod exact;
mod filter;
mod hooks;
mod learned;
mod made;
mod record;
mod reused;
mod row;
mod running;
mod sampled;
mod stacks;
mod types;
mod write;

pub use made::Made;
