//! What holds objects from outside of the heap: threads with their frames, native code, classes.

use deadweight_heap::{EdgeKind, TextId, Texts, Via};
use rustc_hash::FxHashMap;

use super::addresses::Addresses;
use super::names::class_name;
use super::outline::Outline;
use super::segments::{Root, root};

/// A reference from outside.
#[derive(Clone, Copy, Debug)]
pub(super) struct Held {
    pub(super) row: u32,
    pub(super) via: Via,
    /// Whether a frame of a thread holds it, which says nothing of whose it is.
    pub(super) is_local: bool,
}

/// All of them, in the order of the file. Those of frames have the names of their methods.
pub(super) fn held(
    roots: &[Root],
    addresses: &Addresses,
    outline: &Outline,
    bytes: &[u8],
    texts: &mut Texts,
) -> Vec<Held> {
    let mut stacks: FxHashMap<u32, u32> = FxHashMap::default();
    for of in roots.iter().filter(|of| of.sort == root::THREAD) {
        stacks.insert(of.thread, of.frame);
    }
    let mut names: FxHashMap<(u32, u32), TextId> = FxHashMap::default();
    // Threads that run one method are one place.
    let mut by_name: FxHashMap<String, TextId> = FxHashMap::default();
    let mut held = Vec::new();
    for of in roots {
        let Some(row) = addresses.row(of.id) else { continue };
        let is_local = matches!(of.sort, root::FRAME | root::JNI_LOCAL | root::NATIVE);
        let via = if is_local {
            let name = names.entry((of.thread, of.frame)).or_insert_with(|| {
                let frame = frame(of, &stacks, outline, bytes);
                let name = frame.map_or_else(
                    || "(a local variable)".to_owned(),
                    |frame| format!("(a local variable of {frame})"),
                );
                let known = by_name.entry(name);
                *known.or_insert_with_key(|name| texts.add(name.clone()))
            });
            Via::new(EdgeKind::Variable, *name)
        } else {
            Via::new(EdgeKind::Internal, u32::from(of.sort))
        };
        held.push(Held { row, via, is_local });
    }
    held
}

/// `Worker.run`: the method whose frame holds something.
fn frame(of: &Root, stacks: &FxHashMap<u32, u32>, outline: &Outline, bytes: &[u8]) -> Option<String> {
    let frames = outline.traces.get(stacks.get(&of.thread)?)?;
    let frame = outline.frames.get(frames.get(of.frame as usize)?)?;
    let class = class_name(&outline.name(bytes, *outline.by_serial.get(&frame.class_serial)?));
    let class = class.rsplit('.').next().unwrap_or_default();
    Some(format!("{class}.{}", outline.name(bytes, frame.method)))
}
