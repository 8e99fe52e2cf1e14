//! The finding: what is booked, how it is named, and where the contents of copies stand as well.

use deadweight_heap::ObjectId;
use rustc_hash::FxHashMap;
use serde_json::json;

use super::groups::bytes;
use super::search::Search;
use super::share::{Share, content};
use crate::Candidate;
use crate::block_groups::{Place, commonest};
use crate::containment::Vanishing;
use crate::count::Count;
use crate::elsewhere::Rows;

impl Search<'_> {
    pub(super) fn booked(
        &self,
        copies: &[usize],
        rows: &[ObjectId],
        holders: &[Vanishing],
        gone: &Rows,
    ) -> Candidate {
        let heap = self.heap;
        // A function may allocate for both: then what holds the copies tells them apart.
        let sources = self.sources(copies, gone);
        let own = self.groups[copies[0]].place;
        let is_shared = sources.iter().any(|(name, _)| *name == own.name(heap));
        let held_by = holders.iter().map(|group| group.key.0);
        let typed = held_by.clone().find(|place| matches!(place, Place::Type(_)));
        let nearest = held_by.clone().next().filter(|_| is_shared);
        let place = typed.or(nearest).unwrap_or(own);
        let mut candidate = Candidate::at(place.name(heap)).assuming(
            "nobody needs the second form but to find what the other blocks hold, all copies are as those looked at, and what holds nothing but copies goes with them",
        );
        candidate.site = commonest(heap, rows);
        let held = holders.iter().flat_map(|group| &group.rows);
        for &row in rows.iter().chain(held) {
            candidate.claim(row, heap.bytes(row));
            candidate.count += 1;
        }
        candidate.bytes_now = candidate.net().cast_unsigned();
        let named: Vec<&str> = sources.iter().take(2).map(|(name, _)| name.as_str()).collect();
        candidate.title = format!(
            "{} repeat what {} hold{}",
            Count(rows.len() as u64).of("block", "blocks"),
            named.join(" and "),
            if named.len() == 1 { "s" } else { "" },
        );
        candidate.fix = "keep one of the two; make or read the other form when it is asked for".into();
        let shares: Vec<Share> = copies.iter().map(|&group| self.share(group, gone)).collect();
        let sum = |of: fn(&Share) -> usize| shares.iter().map(of).sum::<usize>();
        let percent = sum(|share| share.covered) as f64 * 100.0 / sum(|share| share.content).max(1) as f64;
        candidate.show("copies", rows.len());
        candidate.show("copies_bytes", bytes(heap, rows));
        candidate.show("contained_percent", (percent * 10.0).round() / 10.0);
        candidate.show("blocks_looked_at", sum(|share| share.blocks));
        candidate.show("blocks_contained", sum(|share| share.contained));
        let list: Vec<_> = sources
            .iter()
            .map(|(name, percent)| json!({"holder": name, "percent": percent}))
            .collect();
        candidate.show("contained_in", list);
        let list: Vec<_> = holders
            .iter()
            .map(|group| {
                json!({
                    "holder": group.key.0.name(heap),
                    "blocks": group.rows.len(),
                    "requested_bytes": group.key.1,
                    "bytes": bytes(heap, &group.rows),
                })
            })
            .collect();
        candidate.show("vanishes_too", list);
        candidate
    }

    /// Where the contents of copies stand as well: names, and how much of the contents each has, in percent.
    fn sources(&self, copies: &[usize], gone: &Rows) -> Vec<(String, f64)> {
        let mut bytes: FxHashMap<String, u64> = FxHashMap::default();
        let mut all = 0_u64;
        let pieces: Vec<usize> = copies
            .iter()
            .flat_map(|&group| self.pieces[group].clone())
            .collect();
        let row = |piece: usize| self.looked.samples.pieces[piece].row;
        for block in pieces.chunk_by(|&a, &b| row(a) == row(b)) {
            let places = self.places(block);
            for &piece in block {
                let own = &self.looked.samples.pieces[piece].bytes;
                all += content(own) as u64;
                let mut covered: FxHashMap<Place, Vec<bool>> = FxHashMap::default();
                for common in self.looked.of_piece(piece) {
                    let counts = places.contains(&common.row) && !gone.has(common.row);
                    if let Some(place) = Place::of(self.heap, common.row).filter(|_| counts) {
                        let of_place = covered.entry(place).or_insert_with(|| vec![false; own.len()]);
                        of_place[common.at.clone()].fill(true);
                    }
                }
                for (place, covered) in covered {
                    let both = own
                        .iter()
                        .zip(covered)
                        .filter(|&(&byte, covered)| byte != 0 && covered);
                    *bytes.entry(place.name(self.heap)).or_default() += both.count() as u64;
                }
            }
        }
        let mut sources: Vec<(String, u64)> = bytes.into_iter().collect();
        sources.sort_unstable_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        let percent = |bytes: u64| (bytes as f64 * 1000.0 / all.max(1) as f64).round() / 10.0;
        sources
            .into_iter()
            .map(|(name, bytes)| (name, percent(bytes)))
            .collect()
    }
}
