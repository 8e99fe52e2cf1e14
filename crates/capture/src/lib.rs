//! Part of Deadweight.
