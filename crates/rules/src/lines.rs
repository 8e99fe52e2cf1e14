//! The line of each finding: where its objects are allocated, else where what holds them is written.

use deadweight_heap::churn::Role;
use deadweight_heap::{Granularity, Heap, LineId, ObjectId, SourceLine};
use deadweight_weighing::{Finding, Line, LineOf, OTHERS};
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use crate::{Candidate, Claim};

/// Holders above one another that are looked at.
const DEEPEST: usize = 64;

/// The line that allocated most of what a candidate frees, by bytes; `None` where the dump does not say.
pub(crate) fn allocated(heap: &Heap, candidate: &Candidate) -> Option<Line> {
    if !heap.lines.tell_allocations() {
        return None;
    }
    let add = |mut sums: FxHashMap<LineId, u64>, claims: &[Claim]| {
        // What only gets shorter is allocated elsewhere than what goes.
        for claim in claims
            .iter()
            .filter(|claim| !candidate.shorter.contains_key(&claim.object))
        {
            if let Some(line) = heap.allocated_on(claim.object) {
                *sums.entry(line).or_default() += u64::from(claim.bytes);
            }
        }
        sums
    };
    let merge = |mut all: FxHashMap<LineId, u64>, more: FxHashMap<LineId, u64>| {
        for (line, bytes) in more {
            *all.entry(line).or_default() += bytes;
        }
        all
    };
    let sums = candidate.claims.par_parts().fold(FxHashMap::default, add);
    let sums = sums.reduce(FxHashMap::default, merge);
    // What one function allocates through several of a dependency is its own all the same.
    let mut functions: Vec<((&str, u32, u32), u64, LineId)> = Vec::new();
    let mut sums: Vec<(LineId, u64)> = sums.into_iter().filter(|&(_, bytes)| bytes > 0).collect();
    let place = |id: LineId| {
        heap.lines
            .get(id)
            .map(|line| (line.file.as_str(), line.line, line.column))
    };
    // Of two with as much the one that stands first in the source comes first, so that runs agree.
    let through = |id: LineId| heap.lines.get(id).map(|line| line.through.as_str());
    sums.sort_by(|a, b| {
        let by_bytes = b.1.cmp(&a.1).then_with(|| place(a.0).cmp(&place(b.0)));
        by_bytes.then_with(|| through(a.0).cmp(&through(b.0)))
    });
    let mut known: FxHashMap<(&str, u32, u32), usize> = FxHashMap::default();
    for (id, bytes) in sums {
        let Some(place) = place(id) else { continue };
        let at = *known.entry(place).or_insert_with(|| {
            functions.push((place, 0, id));
            functions.len() - 1
        });
        functions[at].1 += bytes;
    }
    let most = functions
        .into_iter()
        .max_by(|a, b| a.1.cmp(&b.1).then_with(|| b.0.cmp(&a.0)));
    let (_, bytes, line) = most?;
    let is = match heap.lines.granularity {
        Granularity::Calls => LineOf::Allocation,
        Granularity::Functions => LineOf::AllocatingFunction,
    };
    let mut line = shown(heap.lines.get(line)?, is);
    let share = bytes as f64 / candidate.claims.bytes() as f64;
    line.share = Some((share * 1000.0).round() / 1000.0);
    Some(line)
}

/// Gives findings without a line that of what holds their objects: of the class at whose field they stand, which `of`
/// names by fingerprint, else of the nearest class, function or module on the way to the object that stands for them.
pub(crate) fn of_holders<'f>(
    heap: &Heap,
    of: &FxHashMap<String, String>,
    findings: impl Iterator<Item = (&'f mut Finding, Option<ObjectId>)>,
) {
    let classes: FxHashMap<&str, &SourceLine> = heap
        .lines
        .classes()
        .map(|(ty, line)| (heap.types.name(ty), line))
        .collect();
    for (finding, typical) in findings.filter(|(finding, _)| finding.line.is_none() && finding.rule != OTHERS)
    {
        let of_class = of
            .get(&finding.fingerprint)
            .and_then(|of| classes.get(of.as_str()));
        finding.line = match of_class {
            Some(line) => Some(of_type(line, LineOf::Class, &of[&finding.fingerprint])),
            None => typical.and_then(|object| above(heap, object)),
        };
    }
}

/// The first line of the program's own on the way from an object to what holds it; else the first of a library.
fn above(heap: &Heap, object: ObjectId) -> Option<Line> {
    let mut of_library = None;
    let first = heap.owner(object);
    let mut at = first;
    for _ in 0..DEEPEST {
        if let Some((line, is)) = written(heap, at) {
            let is_above = is == LineOf::Class && at != first;
            let is = if is_above { LineOf::HoldingClass } else { is };
            let line = (line.role, of_type(line, is, heap.type_name(at)));
            match line.0 {
                Role::Own => return Some(line.1),
                Role::Library | Role::Runtime => of_library = of_library.or(Some(line.1)),
            }
        }
        let Some((from, _)) = heap.referrers.of(at) else {
            break;
        };
        at = heap.owner(from);
    }
    of_library
}

/// Where an object's class is written, or the function or module that it is.
fn written(heap: &Heap, row: ObjectId) -> Option<(&SourceLine, LineOf)> {
    let lines = &heap.lines;
    let function = lines.function(row).map(|line| (line, LineOf::Function));
    let module = || lines.module(row).map(|line| (line, LineOf::Module));
    let class = || {
        let ty = *heap.objects.label.get(row as usize)?;
        let is_record = heap.kind(row) == deadweight_heap::Kind::Record;
        let line = is_record.then(|| lines.class(ty)).flatten()?;
        Some((line, LineOf::Class))
    };
    function.or_else(module).or_else(class)
}

/// A line of a type: the function that makes its objects may have no name of its own.
fn of_type(line: &SourceLine, is: LineOf, ty: &str) -> Line {
    let mut line = shown(line, is);
    let is_class = matches!(is, LineOf::Class | LineOf::HoldingClass);
    if is_class && line.name.is_empty() {
        ty.clone_into(&mut line.name);
    }
    line
}

fn shown(line: &SourceLine, is: LineOf) -> Line {
    Line {
        file: line.file.clone(),
        line: u64::from(line.line),
        column: (line.column > 0).then(|| u64::from(line.column)),
        is,
        name: line.name.clone(),
        share: None,
        through: (!line.through.is_empty()).then(|| line.through.clone()),
        around: Vec::new(),
        around_from: None,
    }
}

#[cfg(test)]
mod tests {
    use deadweight_heap::{HeapBuilder, Kind};

    use super::*;
    use crate::{Options, weigh};

    fn source() -> deadweight_weighing::Source {
        deadweight_weighing::Source {
            path: String::new(),
            bytes: 0,
            format: String::new(),
        }
    }

    /// Records of a class whose field holds an empty list each.
    fn rows(heap: &mut HeapBuilder) -> Vec<ObjectId> {
        let lists: Vec<ObjectId> = (0..100).map(|_| heap.array(4, &[])).collect();
        let rows: Vec<ObjectId> = lists
            .iter()
            .map(|&list| heap.record("Row", &[("tags", list)]))
            .collect();
        let all = heap.array(100, &rows);
        heap.variable("rows", all);
        lists
    }

    fn line_of(heap: HeapBuilder) -> Option<Line> {
        let weighing = weigh(&heap.build(), source(), &Options::all());
        let finding = weighing
            .findings
            .into_iter()
            .find(|finding| finding.holder == "Row.tags");
        finding.expect("empty lists are found").line
    }

    #[test]
    fn a_field_is_changed_where_its_class_is_written() {
        let mut heap = HeapBuilder::new();
        rows(&mut heap);
        heap.class_line("Row", "src/row.js", 3);
        let line = line_of(heap).unwrap();
        assert_eq!(
            (line.place().as_str(), line.is, line.name.as_str()),
            ("src/row.js:3", LineOf::Class, "Row")
        );
        assert_eq!(line.share, None);
    }

    #[test]
    fn the_line_that_allocates_most_comes_before_the_class() {
        let mut heap = HeapBuilder::new();
        let lists = rows(&mut heap);
        heap.class_line("Row", "src/row.js", 3);
        let of = |at: usize| if at < 70 { ("src/a.js", 7) } else { ("src/b.js", 9) };
        let made: Vec<(ObjectId, &str, u32)> = lists
            .iter()
            .enumerate()
            .map(|(at, &list)| (list, of(at).0, of(at).1))
            .collect();
        heap.allocated_on(&made);
        let line = line_of(heap).unwrap();
        assert_eq!(
            (line.place().as_str(), line.is),
            ("src/a.js:7", LineOf::Allocation)
        );
        assert_eq!(line.share, Some(0.7));
    }

    #[test]
    fn without_a_class_the_function_on_the_way_counts() {
        let mut heap = HeapBuilder::new();
        let list = heap.array(4, &[]);
        let scope = heap.object(Kind::Scope, "", 16);
        let name = heap.text("list");
        heap.edge(scope, deadweight_heap::EdgeKind::Variable, name, list);
        heap.function_line(scope, "get", "src/cache.js", 12);
        let heap = heap.build();
        let line = above(&heap, list).unwrap();
        assert_eq!(
            (line.place().as_str(), line.is),
            ("src/cache.js:12", LineOf::Function)
        );
    }

    #[test]
    fn nothing_is_guessed() {
        let mut heap = HeapBuilder::new();
        rows(&mut heap);
        assert_eq!(line_of(heap), None);
    }
}
