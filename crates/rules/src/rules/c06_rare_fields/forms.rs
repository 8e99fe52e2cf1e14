//! Where rare fields may stand, and what records cost then.

use deadweight_heap::{Heap, Request};
use deadweight_infer::SparseRecords;

/// A reference to what stands beside a record.
const REFERENCE: u64 = 8;

/// Fields are taken from those up to one in so many records on, for a record beside: in fewer steps than fields.
const SHARES: [u64; 6] = [4, 8, 16, 32, 128, u64::MAX];

/// What leaves the records, and where it goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Form {
    /// The fields that leave, a bit each.
    pub(super) fields: u64,
    /// Whether each goes into a block of its own, and not all into one.
    pub(super) is_apart: bool,
}

impl Form {
    /// Bytes of a record that is left.
    pub(super) fn record(self, records: &SparseRecords) -> u64 {
        let references = if self.is_apart {
            self.fields.count_ones().into()
        } else {
            1
        };
        records.requested - bytes(records, self.fields) + REFERENCE * references
    }

    /// What a record with these fields in use is charged.
    pub(super) fn charged(self, heap: &Heap, records: &SparseRecords, used: u64) -> u64 {
        // What refers to others now may do so wherever it stands.
        let charge = |bytes| heap.allocator.charge(Request::with(bytes, true));
        let used = used & self.fields;
        let beside = match (self.is_apart, used) {
            (_, 0) => 0,
            (false, _) => charge(bytes(records, self.fields)),
            (true, _) => {
                let fields = records.fields.iter().enumerate();
                let fields = fields.filter(|(bit, _)| used >> bit & 1 != 0);
                fields.map(|(_, field)| charge(field.bytes)).sum()
            }
        };
        charge(self.record(records)) + beside
    }
}

/// The form that costs least; `None` when all cost more than the records do now.
pub(super) fn best(heap: &Heap, records: &SparseRecords) -> Option<Form> {
    let count = records.rows.len() as u64;
    let wanted = |is_wanted: &dyn Fn(u64, u64) -> bool| {
        let fields = records.fields.iter().enumerate();
        let bits = fields.map(|(bit, field)| u64::from(is_wanted(field.bytes, field.used)) << bit);
        bits.fold(0, |all, bit| all | bit)
    };
    let charge = |bytes| heap.allocator.charge(Request::with(bytes, true));
    // A field pays for its own block when what it takes in all records is more than the references and the blocks.
    let pays = |bytes: u64, used: u64| bytes * count > REFERENCE * count + charge(bytes) * used;
    let apart = Form {
        fields: wanted(&pays),
        is_apart: true,
    };
    let beside = SHARES.map(|share| Form {
        fields: wanted(&|_, used| used.saturating_mul(share) <= count),
        is_apart: false,
    });
    let forms = beside.into_iter().chain([apart]).filter(|form| form.fields != 0);
    let priced = forms.map(|form| {
        let charged = records.used.iter().map(|&used| form.charged(heap, records, used));
        (charged.sum::<u64>(), form)
    });
    // Of equal ones the first, which moves more into one record.
    let (cost, form) = priced.min_by_key(|(cost, _)| *cost)?;
    let now: u64 = records.rows.iter().map(|&row| heap.bytes(row)).sum();
    (cost < now).then_some(form)
}

/// Bytes of some fields.
fn bytes(records: &SparseRecords, fields: u64) -> u64 {
    let all = records.fields.iter().enumerate();
    let some = all.filter(|(bit, _)| fields >> bit & 1 != 0);
    some.map(|(_, field)| field.bytes).sum()
}
