//! What goes when records become columns, and what comes for it.

use deadweight_heap::{
    Heap, Implementation, Kind, ObjectId, Parts, Record, Representation, RowSet, TextId, TypeId, in_pieces,
};
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use serde_json::json;

use super::copies::{PIECE, copies, texts_of};
use super::list::List;
use super::plan::Plan;
use super::table::Table;
use crate::Candidate;
use crate::count::Count;
use crate::equal_texts::{EqualTexts, TextsAt};
use crate::parts::{ClaimWhole, claim_each, has_numbered_slots};
use crate::rules::l01_shapes::ShapeOwners;

/// What the rows of one table own, beside themselves.
pub(super) struct Claims {
    candidate: Candidate,
    numbered_slots: bool,
    /// The list that names the records seen so far, or what is known of several.
    list: List,
}

impl Claims {
    pub(super) fn of(
        heap: &Heap,
        tables: &mut FxHashMap<TypeId, Table>,
        texts: EqualTexts,
    ) -> Vec<Candidate> {
        let mut parts = Parts::default();
        let new = |ty: TypeId| Self {
            candidate: Candidate::at(heap.types.name(ty)),
            numbered_slots: false,
            list: List::Unseen,
        };
        let pieces = in_pieces(&heap.records, |records| {
            let mut parts = Parts::default();
            let mut of_piece: FxHashMap<TypeId, Self> = FxHashMap::default();
            for record in records {
                let Some((ty, table)) = heap
                    .record_type(record)
                    .and_then(|ty| Some((ty, tables.get(&ty)?)))
                else {
                    continue;
                };
                let claim = of_piece.entry(ty).or_insert_with(|| new(ty));
                if claim.numbered_slots || has_numbered_slots(heap, record.object) {
                    claim.numbered_slots = true;
                } else {
                    claim.row(heap, table, record, &mut parts);
                }
            }
            of_piece
        });
        let mut claims: FxHashMap<TypeId, Self> = FxHashMap::default();
        for (ty, found) in pieces.into_iter().flatten() {
            claims.entry(ty).or_insert_with(|| new(ty)).absorb(found);
        }
        claims.retain(|_, claim| !claim.numbered_slots);
        tables.retain(|ty, _| claims.contains_key(ty));
        let mut texts = texts_of(heap, texts, tables);
        let columns = texts.par_iter().flat_map(|(_, columns)| columns.par_iter());
        let rows = columns.flat_map(|column| column.rows.par_iter().with_min_len(4096).copied());
        let elsewhere = heap.held_elsewhere(rows);
        let mut shapes: FxHashMap<TypeId, Vec<ObjectId>> = FxHashMap::default();
        let owners = ShapeOwners::of(heap);
        for (index, shape) in heap.shapes.iter().enumerate() {
            if let Some(ty) = owners.owner(index, shape).filter(|ty| claims.contains_key(ty)) {
                shapes.entry(ty).or_default().push(shape.object);
            }
        }
        claims
            .into_iter()
            .map(|(ty, mut claim)| {
                let shapes = shapes.get(&ty).map_or(&[][..], Vec::as_slice);
                claim_each(heap, &mut claim.candidate, shapes, |&shape| Some(shape));
                if let Some(list) = claim.list.of_all(heap, u64::from(tables[&ty].records)) {
                    claim.candidate.bytes_now += parts.claim_whole(heap, &mut claim.candidate, list);
                }
                claim.texts(heap, texts.remove(&ty).unwrap_or_default(), &elsewhere);
                claim.finish(heap, &tables[&ty])
            })
            .collect()
    }

    fn row(&mut self, heap: &Heap, table: &Table, record: &Record, parts: &mut Parts) {
        let candidate = &mut self.candidate;
        candidate.bytes_now += parts.claim_whole(heap, candidate, record.object);
        if self.list != List::Several {
            self.list = self.list.and(List::naming(heap, record.object));
        }
        if !table.boxed {
            return;
        }
        for edge in heap.edges.of(record.object) {
            let plan = edge.field().and_then(|name| table.columns.get(&name));
            let in_numbers = matches!(plan, Some(Plan::Numbers(_)));
            let id = edge.to;
            if !in_numbers || !matches!(heap.kind(id), Kind::Number | Kind::Date) || !heap.in_program(id) {
                continue;
            }
            // What several rows refer to is booked at the one that names it.
            if heap.referrers.of(id) == Some((record.object, edge.via)) {
                let candidate = &mut self.candidate;
                candidate.bytes_now += parts.claim_whole(heap, candidate, id);
            }
        }
    }

    fn absorb(&mut self, more: Self) {
        self.numbered_slots |= more.numbered_slots;
        self.list = self.list.and(more.list);
        self.candidate.absorb(more.candidate);
    }

    /// Claims the copies of texts. What is known of a column is let go as soon as its copies are claimed.
    fn texts(&mut self, heap: &Heap, columns: Vec<TextsAt>, elsewhere: &RowSet) {
        for column in columns {
            let rows = column.rows.par_chunks(PIECE).zip(column.firsts.par_chunks(PIECE));
            let found: Vec<Candidate> = rows
                .enumerate()
                .map(|(piece, rows)| copies(heap, &column.rows, piece * PIECE, rows, elsewhere))
                .collect();
            for found in found {
                self.candidate.absorb(found);
            }
        }
    }

    fn finish(self, heap: &Heap, table: &Table) -> Candidate {
        let mut candidate = self.candidate;
        let records = u64::from(table.records);
        let held_claimed = candidate.claims.bytes();
        let hidden = u64::from(table.fields) - table.columns.len() as u64;
        let mut columns: Vec<_> = table.columns.iter().map(|(&name, &plan)| (name, plan)).collect();
        columns.sort_unstable_by_key(|(name, _)| *name);
        let mut external = 8 * hidden * records;
        let mut held = 0;
        for &(_, plan) in &columns {
            external += plan.external() * records;
            held += match plan {
                Plan::References => array_of(heap, records),
                Plan::Numbers(0) | Plan::Codes(0, _) => 0,
                Plan::Numbers(_) => heap.layout.view(),
                Plan::Codes(_, values) => heap.layout.view() + array_of(heap, values),
            };
        }
        held += hidden * heap.layout.view();
        candidate.option = true;
        candidate.count = records;
        candidate.overhead = held + external;
        candidate.title = format!(
            "{} with the same {}",
            Count(records).of("record", "records"),
            Count(table.fields.into()).of("field", "fields")
        );
        candidate.fix = how(&columns);
        let shown: Vec<_> = columns
            .iter()
            .map(|&(name, plan)| {
                let bytes = if plan == Plan::References {
                    heap.layout.elements(Representation::Reference, 1)
                } else {
                    plan.external()
                };
                json!({"field": heap.texts.shown(name, 48), "as": plan.name(), "bytes_each": bytes})
            })
            .collect();
        let evidence = &mut candidate.evidence;
        evidence.insert(
            "held_saved".into(),
            json!(held_claimed.cast_signed() - held.cast_signed()),
        );
        evidence.insert("external_added".into(), json!(external));
        evidence.insert("bytes_each".into(), json!(held_claimed / records.max(1)));
        evidence.insert(
            "bytes_each_after".into(),
            json!((held + external) / records.max(1)),
        );
        evidence.insert("columns".into(), json!(shown));
        evidence.insert("fields_not_shown".into(), json!(hidden));
        let hidden_note = if hidden > 0 {
            "; fields the dump does not show are numbers"
        } else {
            ""
        };
        candidate.assuming(format!(
            "numbers stand in typed arrays and repeated texts are codes; no other part of the program needs each row as an object of its own{hidden_note}"
        ))
    }
}

/// What the columns are, in words: what the figure is computed with.
fn how(columns: &[(TextId, Plan)]) -> String {
    let count = |is: fn(&Plan) -> bool| columns.iter().filter(|(_, plan)| is(plan)).count() as u64;
    let numbers = count(|plan| matches!(plan, Plan::Numbers(1..)));
    let codes = count(|plan| matches!(plan, Plan::Codes(1.., _)));
    let references = count(|plan| *plan == Plan::References);
    let kinds = [
        (numbers, "in typed arrays, as wide as the values need"),
        (codes, "as codes of 1 or 2 bytes for a list of texts"),
        (references, "in an array of references"),
    ];
    let kinds = kinds.into_iter().filter(|(count, _)| *count > 0);
    let kinds: Vec<String> = kinds
        .map(|(count, how)| format!("{} {how}", Count(count).of("field", "fields")))
        .collect();
    let kinds = if kinds.is_empty() {
        String::new()
    } else {
        format!(": {}", kinds.join(", "))
    };
    format!("keep each field in one column of the final length, and read rows by index{kinds}")
}

/// One array of references.
fn array_of(heap: &Heap, count: u64) -> u64 {
    let elements = Representation::Reference;
    heap.layout.array(Implementation::USUAL, elements, count)
}
