//! What can be inferred from raw memory that a typed reader would simply know.
//!
//! A dump of a native program has blocks: bytes with an address, of which some are references. From their contents,
//! their sizes and where they were allocated follows what they are: strings, nodes with slots, pools, tables, buffers
//! with room that nobody used, copies of what other blocks hold. Each is a fact with the evidence for it, in bytes and
//! rows of the heap.
//!
//! Nothing here knows a rule: what is waste, what a fix is called and what it saves are for others to say. Of a heap
//! without blocks nothing is inferred.

mod backings;
mod containment;
mod gather;
mod groups;
mod lengths;
mod linked;
mod nodes;
mod place;
mod pools;
mod records;
mod room;
mod slices;
mod slots;
mod splitmix;
mod tables;
mod text_records;
mod texts;

pub use backings::{Backings, OnOne, holder_of};
pub use containment::{Copies, CopyGroup, Share, Vanishing, copies, copy_groups};
pub use groups::{BlockGroup, block_groups};
pub use nodes::{Nodes, NodesSeen, block_nodes, pooled_nodes};
pub use place::{Place, commonest_site};
pub use pools::cut_up;
pub use records::{RareField, SparseRecords, sparse_records};
pub use room::{End, Room, RoomAt, Rooms, unused_room};
pub use slices::{Mean, SliceCopies, SliceCopy, Source, UNITS_AT_MOST};
pub use slots::{FEWEST_NODES, Part, SlotArray, Slots};
pub use splitmix::splitmix;
pub use tables::{ReferenceTables, Table, words_beside_slots};
pub use text_records::{TextRecords, text_records};
pub use texts::{BlockText, BlockTexts, block_texts};
