//! From nodes and samples to a churn.

use deadweight_heap::churn::{Compiler, Frame, Frames, Returns, Row, Rows, Sampling, StackId, Stacks};
use deadweight_heap::{Churn, ChurnCoverage, Exact, Kind, Presence, Runtime, Types};
use rustc_hash::FxHashMap;

use super::ProfileFacts;
use super::distance::guess;
use super::flat::{reads_text, split};
use super::nodes::{CallFrame, Profile};
use crate::churn::{below, role, writes_logs};
use crate::error::Malformed;
use crate::v8::V8Layout;

pub(super) fn churn(profile: &Profile, facts: &ProfileFacts) -> Result<Churn, Malformed> {
    let smallest = profile.samples.iter().map(|sample| sample.size).min();
    let every = facts
        .every_bytes
        .or_else(|| smallest.and_then(guess))
        .filter(|&every| every > 0);
    // With a byte from one sample to the next the engine takes each object, and each stands for itself.
    let is_exact = every == Some(1);
    let sampling = if is_exact {
        Sampling::Exact
    } else {
        Sampling::Bytes(every.unwrap_or(524_288))
    };
    let count = |samples: u64| if is_exact { samples } else { 0 };
    let (mut frames, mut stacks) = (Frames::default(), Stacks::default());
    let mut stack_of: Vec<Option<StackId>> = Vec::with_capacity(profile.nodes.len());
    let mut by_id: FxHashMap<u64, Option<StackId>> = FxHashMap::default();
    let mut reading: FxHashMap<StackId, Vec<u64>> = FxHashMap::default();
    for node in &profile.nodes {
        let caller = node.parent.and_then(|parent| stack_of[parent]);
        // The head is the tree's root and no function.
        let stack = node.parent.map(|_| {
            let frame = frames.add(frame(&node.frame, &facts.root));
            stacks.add(caller, frame, &frames)
        });
        stack_of.push(stack);
        if let Some(stack) = stack.filter(|_| reads_text(&node.frame)) {
            reading.insert(stack, Vec::new());
        }
        by_id.insert(node.id, stack);
    }
    let mut rows = Rows::default();
    let mut seen: FxHashMap<Option<StackId>, (u64, u64)> = FxHashMap::default();
    let mut bytes = 0_u64;
    for sample in &profile.samples {
        // Node 25 names nodes that it left out of the tree: what they made is somebody's nonetheless.
        let stack = by_id.get(&sample.node_id).copied().flatten();
        bytes = bytes
            .checked_add(sample.size)
            .filter(|sum| *sum < 1 << 62)
            .ok_or_else(|| Malformed::new(0, "sizes that add up", "more than 2^62 bytes"))?;
        if let Some(sizes) = stack.and_then(|stack| reading.get_mut(&stack)) {
            sizes.push(sample.size);
            continue;
        }
        let (samples, made) = seen.entry(stack).or_default();
        *samples += 1;
        *made += sample.size;
    }
    let mut seen: Vec<_> = seen.into_iter().collect();
    seen.sort_unstable();
    for (stack, (samples, made)) in seen {
        rows.add(Row {
            stack,
            kind: Kind::Opaque,
            count: count(samples),
            bytes: made,
            samples,
            ..Row::default()
        });
    }
    // A profile without samples has the sums of its nodes.
    if profile.samples.is_empty() {
        for (node, stack) in profile.nodes.iter().zip(&stack_of) {
            if node.self_size > 0 {
                rows.add(Row {
                    stack: *stack,
                    bytes: node.self_size,
                    samples: every.map_or(1, |every| (node.self_size / every).max(1)),
                    operand: stack.is_some_and(|stack| reading.contains_key(&stack)),
                    ..Row::default()
                });
            }
        }
    }
    let mut reading: Vec<_> = reading.into_iter().collect();
    reading.sort_unstable();
    for (stack, sizes) in reading {
        for part in split(&sizes, every).into_iter().filter(|part| part.bytes > 0) {
            rows.add(Row {
                stack: Some(stack),
                kind: Kind::Opaque,
                count: count(part.samples),
                bytes: part.bytes,
                samples: part.samples,
                operand: part.operand,
                ..Row::default()
            });
        }
    }
    let major = facts
        .version
        .split('.')
        .next()
        .and_then(|major| major.parse().ok());
    Ok(Churn {
        frames,
        stacks,
        types: Types::default(),
        rows,
        sampling,
        operations: facts.operations,
        coverage: ChurnCoverage {
            lines: Presence::Partial,
            ..ChurnCoverage::default()
        },
        totals: facts.totals,
        runtime: Runtime {
            name: "node".to_owned(),
            version: facts.version.clone(),
            word_bytes: 8,
            allocator: "v8".to_owned(),
            recapture: "deadweight run --churn node PROGRAM".to_owned(),
        },
        layout: Some(Box::new(V8Layout::of_node(major.unwrap_or(20)))),
        allocator: Box::new(Exact),
        root: facts.root.clone(),
        antipatterns: Vec::new(),
            gatherings: Vec::new(),
            compiler: Compiler::Inlines,
            main_returned: false,
            source_read: false,
        partial: (facts.collected == Some(false)).then(|| {
            "this runtime's profiler leaves out what was collected (Node.js before 20): only what was kept is \
             in the profile"
                .to_owned()
        }),
    })
}

fn frame(call: &CallFrame, root: &str) -> Frame {
    let path = path_of(&call.url);
    let place = |number: i64| u32::try_from(number + 1).unwrap_or_default();
    // The function around a whole file has no name and begins at its first character.
    let top = call.function_name.is_empty() && call.line_number == 0 && call.column_number == 0;
    let function = match (top, call.function_name.as_str()) {
        (true, _) => "(top of the file)",
        (false, "") => "(anonymous)",
        (false, name) => name,
    };
    Frame {
        function: function.to_owned(),
        role: role(&path, root),
        logs: writes_logs(&path, function),
        // The engine's profiles do not say what an object is.
        returns: Returns::Anything,
        file: below(&path, root),
        line: place(call.line_number),
        column: place(call.column_number),
    }
}

/// The path of a `file:` address, its escapes resolved; other addresses as they are.
pub(crate) fn path_of(url: &str) -> String {
    let Some(escaped) = url.strip_prefix("file://") else {
        return url.to_owned();
    };
    let mut bytes = Vec::with_capacity(escaped.len());
    let mut rest = escaped.as_bytes();
    while let Some((&first, more)) = rest.split_first() {
        let hex = more.get(..2).and_then(|hex| std::str::from_utf8(hex).ok());
        let byte = hex.filter(|_| first == b'%');
        if let Some(byte) = byte.and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
            bytes.push(byte);
            rest = &more[2..];
        } else {
            bytes.push(first);
            rest = more;
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
