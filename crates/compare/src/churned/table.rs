//! What two programs made, line against line.

use std::collections::BTreeMap;

use deadweight_weighing::{Allocated, AllocatedAt, Finding};

use super::side::{Function, Functions, Line, functions};
use super::{align, lines};
use crate::proof::{AllocatedPlace, Renamed};

/// Counts this close are the same.
const SAME: f64 = 0.01;

/// Numbers of operations whose ratio is nearer to 1 than this say nothing of what follows them.
const APART: f64 = 0.05;

/// A row of [`Table::lines`].
pub(super) type LineId = usize;

/// What both sides made of a type on a line.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Both {
    pub(super) count: [Option<u64>; 2],
    pub(super) bytes: [u64; 2],
    margin: [u64; 2],
    /// What the second side's figures are taken times.
    scale: f64,
}

impl Both {
    fn saved(&self) -> f64 {
        self.bytes[0] as f64 - self.bytes[1] as f64 * self.scale
    }
}

/// A line of the first side with those of the second that do its work, or one that is new.
#[derive(Clone, Debug, Default)]
pub(super) struct Row {
    pub(super) function: Function,
    pub(super) before: Option<String>,
    pub(super) after: Vec<String>,
    pub(super) types: BTreeMap<String, Both>,
}

impl Row {
    /// Bytes that are made less of a type.
    pub(super) fn saved(&self, holds: &str) -> f64 {
        self.types.get(holds).map_or(0.0, Both::saved)
    }

    /// The square of what sampling leaves open of that.
    pub(super) fn open(&self, holds: &str) -> f64 {
        self.types.get(holds).map_or(0.0, |both| {
            (both.margin[0] as f64).powi(2) + (both.margin[1] as f64 * both.scale).powi(2)
        })
    }

    fn all(&self) -> f64 {
        self.types.values().map(Both::saved).sum()
    }

    fn count(&self, side: usize) -> Option<u64> {
        let mut counts = self
            .types
            .values()
            .filter(|both| both.bytes[side] > 0)
            .map(|both| both.count[side])
            .peekable();
        counts.peek()?;
        counts.sum()
    }
}

/// All lines that either side lists.
#[derive(Clone, Debug)]
pub(super) struct Table {
    pub(super) lines: Vec<Row>,
    /// By function and place, for each side.
    ids: [BTreeMap<(String, String), LineId>; 2],
    /// What is folded on each side: bytes and objects.
    folded: [(u64, Option<u64>); 2],
    scale: f64,
    /// Functions with two names.
    pub(super) moved: Vec<Renamed>,
}

impl Table {
    pub(super) fn new(before: &Allocated, after: &Allocated, findings: &[&Finding], scale: f64) -> Self {
        let (first, second) = (functions(before, 1.0), functions(after, scale));
        let mut table = Self {
            lines: Vec::new(),
            ids: [BTreeMap::new(), BTreeMap::new()],
            folded: [before, after].map(|allocated| (allocated.folded.bytes, allocated.folded.count)),
            scale,
            moved: Vec::new(),
        };
        for (function, lines) in &first {
            for line in lines {
                let id = table.add(function);
                table.lines[id].before = Some(line.site.clone());
                table.ids[0].insert((function.1.clone(), line.site.clone()), id);
            }
        }
        table.pair(&first, &second);
        for (side, allocated) in [before, after].into_iter().enumerate() {
            for at in &allocated.places {
                table.fill(side, at);
            }
        }
        table.find_constants(findings);
        table
    }

    fn add(&mut self, function: &Function) -> LineId {
        self.lines.push(Row {
            function: function.clone(),
            ..Row::default()
        });
        self.lines.len() - 1
    }

    /// Gives each line of the second side its row.
    fn pair(&mut self, first: &Functions, second: &Functions) {
        let pairs = align::pairs(first, second);
        let several = align::became_several(first, second, &pairs);
        let mut of: BTreeMap<&Function, &Function> = BTreeMap::new();
        for (was, is) in &pairs {
            of.insert(is, was);
        }
        for (was, parts) in &several {
            for part in parts {
                of.insert(part, was);
            }
        }
        for (is, new) in second {
            let was = of.get(is).copied();
            if let Some(was) = was.filter(|was| *was != is) {
                self.moved.push(Renamed {
                    before: named(was),
                    after: named(is),
                });
            }
            let none = Vec::new();
            let old: &Vec<Line> = was.and_then(|was| first.get(was)).unwrap_or(&none);
            for (pair, line) in lines::pairs(old, new).into_iter().zip(new) {
                let known = pair.zip(was).and_then(|(pair, was)| {
                    let key = (was.1.clone(), old[pair].site.clone());
                    self.ids[0].get(&key).copied()
                });
                let id = known.unwrap_or_else(|| self.add(was.unwrap_or(is)));
                self.lines[id].after.push(line.site.clone());
                self.ids[1].insert((is.1.clone(), line.site.clone()), id);
            }
        }
    }

    fn fill(&mut self, side: usize, at: &AllocatedAt) {
        let key = (at.function.clone(), at.site.clone());
        let Some(&id) = self.ids[side].get(&key) else {
            return;
        };
        let scale = self.scale;
        let both = self.lines[id].types.entry(at.holds.clone()).or_default();
        both.scale = scale;
        both.bytes[side] += at.bytes;
        both.margin[side] = (both.margin[side] as f64).hypot(at.margin as f64).round() as u64;
        both.count[side] = match (both.count[side], at.count) {
            (Some(known), Some(more)) => Some(known + more),
            (None, count) => count,
            (known, None) => known,
        };
    }

    /// What starts a program does not follow its operations: where a line made as many objects of a type on both sides,
    /// though the numbers of operations differ, they stay as they are. Where a finding is, a fix may have left just so
    /// many: there bytes must be the same as well.
    fn find_constants(&mut self, findings: &[&Finding]) {
        if self.scale.ln().abs() <= APART {
            return;
        }
        let found: Vec<(LineId, &str)> = findings
            .iter()
            .flat_map(|finding| self.frees(finding))
            .map(|(line, holds, _)| (line, holds))
            .collect();
        for (id, row) in self.lines.iter_mut().enumerate() {
            for (holds, both) in &mut row.types {
                let [Some(first), Some(second)] = both.count else {
                    continue;
                };
                let is_same = if found.contains(&(id, holds.as_str())) {
                    first == second && both.bytes[0] == both.bytes[1]
                } else {
                    first.abs_diff(second) as f64 <= SAME * first.max(second) as f64
                };
                if is_same {
                    both.scale = 1.0;
                }
            }
        }
    }

    /// The row of a line of one side.
    pub(super) fn line(&self, side: usize, function: &str, site: &str) -> Option<LineId> {
        self.ids[side]
            .get(&(function.to_owned(), site.to_owned()))
            .copied()
    }

    /// Where a finding of the first side frees bytes: row, type, bytes.
    pub(super) fn frees<'f>(&self, finding: &'f Finding) -> Vec<(LineId, &'f str, f64)> {
        let known = finding.frees.iter().filter_map(|freed| {
            let line = self.line(0, &freed.holder, freed.site.as_deref()?)?;
            Some((line, freed.holds.as_str(), freed.bytes as f64))
        });
        known.collect()
    }

    /// The row at which most of a finding is.
    pub(super) fn home(&self, side: usize, finding: &Finding) -> Option<LineId> {
        let freed = finding.frees.iter().max_by_key(|freed| freed.bytes)?;
        self.line(side, &freed.holder, freed.site.as_deref()?)
    }

    /// All that is made less.
    pub(super) fn saved(&self) -> i64 {
        let listed: f64 = self.lines.iter().map(Row::all).sum();
        let [(first, _), (second, _)] = self.folded;
        (listed + first as f64 - second as f64 * self.scale).round() as i64
    }

    /// Objects that are fewer; none when a side did not count.
    pub(super) fn fewer(&self) -> Option<i64> {
        let [(_, first), (_, second)] = self.folded;
        let mut fewer = first? as f64 - second? as f64 * self.scale;
        for row in &self.lines {
            for both in row.types.values() {
                let count = |side: usize| match (both.bytes[side], both.count[side]) {
                    (0, None) => Some(0.0),
                    (_, count) => count.map(|count| count as f64),
                };
                fewer += count(0)? - count(1)? * both.scale;
            }
        }
        Some(fewer.round() as i64)
    }

    /// A row for the proof.
    pub(super) fn place(&self, line: LineId) -> AllocatedPlace {
        let row = &self.lines[line];
        let most = row.types.keys().max_by(|a, b| {
            let changed = |holds: &str| row.saved(holds).abs();
            changed(a).total_cmp(&changed(b)).then_with(|| b.cmp(a))
        });
        let before: u64 = row.types.values().map(|both| both.bytes[0]).sum();
        let scaled = row.types.values().map(|both| both.bytes[1] as f64 * both.scale);
        let after = scaled.sum::<f64>().round() as u64;
        let open: f64 = row.types.keys().map(|holds| row.open(holds)).sum();
        AllocatedPlace {
            function: row.function.1.clone(),
            before_site: row.before.clone(),
            after_sites: row.after.clone(),
            holds: most.cloned().unwrap_or_default(),
            count_before: row.count(0),
            count_after: row.count(1),
            before,
            after,
            saved: before.cast_signed() - after.cast_signed(),
            margin: open.sqrt().round() as u64,
        }
    }
}

fn named((file, name): &Function) -> String {
    match (file.as_str(), name.as_str()) {
        (file, "") => file.to_owned(),
        ("", name) => name.to_owned(),
        (file, name) => format!("{name} ({file})"),
    }
}
