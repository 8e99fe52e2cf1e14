//! The neutral model of a program's memory.
//!
//! A [`Heap`] is one process at one moment: columns of objects, edges between them, facts by kind, and what the
//! runtime would charge for other objects ([`Layout`], [`Allocator`]). A [`Churn`] is what one process made while it was
//! watched. Readers build them, rules read them. Nothing in this crate knows a runtime by name, reads a file or prints.
//!
//! All sizes are in bytes, all object ids are rows of [`Objects`].

mod adjacency;
mod allocator;
mod backing;
mod blocks;
mod builder;
pub mod churn;
mod column_values;
mod coverage;
mod declared;
mod dominators;
mod edge_shapes;
mod edges;
mod empty;
mod extended;
mod facts;
mod fields;
mod firsts;
mod fixed;
mod frame_columns;
mod gathered;
mod heap;
mod holder;
mod interior;
mod kind;
mod layout;
mod library;
mod lines;
mod named;
pub mod nodes;
mod objects;
mod packing;
mod parts;
mod pieces;
mod recent;
mod references;
mod referrer;
mod representation;
mod reshaped;
mod root_paths;
mod row_numbers;
mod row_set;
mod runtime;
mod shared;
mod sites;
mod stand_in;
mod text;
mod text_header;
mod text_length;
mod types;
mod value;
mod views;
mod wording;

pub use allocator::{Allocator, Exact, Request, Rounded};
pub use backing::Backing;
pub use blocks::{Blocks, NoBlocks, used_words};
pub use builder::{BuilderLayout, CHAINED, HeapBuilder, NODES, OPEN, OtherIntegers};
pub use churn::{Churn, ChurnBuilder, ChurnCoverage};
pub use column_values::{ColumnValues, InColumn};
pub use coverage::{Coverage, Presence};
pub use declared::{Endian, Field, FieldValues, Stored};
pub use dominators::Dominators;
pub use edges::{Edge, EdgeKind, Edges, EdgesBuilder, Via};
pub use facts::{
    Array, Buffer, Date, Number, OwnClass, Record, Shape, StringForm, StringLength, StringRoom, Table,
    UNKNOWN,
};
pub use fields::{FieldProfile, FieldProfiles, FieldTally, FieldValue, OneValue, Population, TextForms};
pub use firsts::firsts;
pub use fixed::{Dead, Fixed, Interned};
pub use frame_columns::{FrameColumn, FrameColumns};
pub use gathered::{Gathered, GatheredPiece};
pub use heap::{Heap, HeapParts};
pub use holder::{HeldAt, HolderId, Holders};
pub use interior::{Inside, Interior};
pub use kind::Kind;
pub use layout::{Implementation, Layout, TableKind, Width};
pub use lines::{Granularity, LineId, Lines, SourceLine};
pub use named::Named;
pub use objects::{Flags, NONE, ObjectId, Objects};
pub use packing::{Order, Packing};
pub use parts::Parts;
pub use pieces::{in_pieces, rows_with};
pub use recent::Recent;
pub use references::{Places, Reference, ReferenceCounts, UniqueOwners};
pub use referrer::Referrers;
pub use representation::{Fields, RecordShape, Representation};
pub use reshaped::Reshaped;
pub use root_paths::{PathStep, RootPaths};
pub use row_numbers::RowNumbers;
pub use row_set::{RankedRows, RowSet};
pub use runtime::{Runtime, Totals};
pub use shared::Shared;
pub use sites::{NOWHERE, Site, SiteId, Sites};
pub use stand_in::StandIn;
pub use text::{Encoding, Spans, TextId, Texts, beginning};
pub use text_header::TextHeader;
pub use text_length::TextLength;
pub use types::{Around, Contents, Makes, OfLibrary, Relatives, TypeId, Types};
pub use value::{Numeric, Value};
pub use wording::Wording;
