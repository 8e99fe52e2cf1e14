//! All stacks as one tree: a node is a return address below its caller's node, so that stacks share what they have in
//! common. Nodes are only ever added; looking one up takes no lock.

use std::ptr;
use std::sync::atomic::{
    AtomicPtr, AtomicU32, AtomicUsize,
    Ordering::{Acquire, Relaxed, Release},
};

use crate::memory;
use crate::spin::SpinLock;

const SEGMENT: usize = 4096;
const SEGMENTS: usize = 1 << 13;
const FIRST_INDEX: usize = 1024;

/// One frame below its caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Node {
    /// Return address.
    pub address: u64,
    /// The caller's node; 0 is the root, which is no frame.
    pub parent: u32,
    unused: u32,
}

#[repr(C)]
struct Index {
    slots: usize,
    first: [AtomicU32; 0],
}

/// The tree. Node 0 is the root.
pub struct Tree {
    lock: SpinLock,
    segments: [AtomicPtr<Node>; SEGMENTS],
    nodes: AtomicUsize,
    index: AtomicPtr<Index>,
}

/// The stacks of this process.
pub static TREE: Tree = Tree::new();

fn hash(parent: u32, address: u64) -> u64 {
    let mixed = (address ^ u64::from(parent) << 40).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (mixed ^ mixed >> 29).wrapping_mul(0xD6E8_FEB8_6659_FD93) >> 20
}

impl Index {
    fn make(slots: usize) -> Option<*mut Self> {
        let bytes = size_of::<Self>() + slots * size_of::<AtomicU32>();
        let index: *mut Self = memory::map(bytes)?.as_ptr().cast();
        // SAFETY: fresh memory of the right size.
        unsafe { (*index).slots = slots };
        Some(index)
    }

    fn slot(&self, at: usize) -> &AtomicU32 {
        // SAFETY: the memory holds `slots` of them behind the head, and `at` is reduced below that.
        unsafe { &*self.first.as_ptr().add(at % self.slots) }
    }
}

impl Tree {
    #[expect(
        clippy::large_stack_arrays,
        reason = "evaluated at compile time, into a static"
    )]
    const fn new() -> Self {
        Self {
            lock: SpinLock::new(),
            segments: [const { AtomicPtr::new(ptr::null_mut()) }; SEGMENTS],
            nodes: AtomicUsize::new(1),
            index: AtomicPtr::new(ptr::null_mut()),
        }
    }

    /// Nodes there are, the root included.
    pub fn len(&self) -> usize {
        self.nodes.load(Acquire)
    }

    /// A node other than the root, below [`Tree::len`].
    pub fn node(&self, id: u32) -> Node {
        let segment = self.segments[id as usize / SEGMENT].load(Acquire);
        // SAFETY: ids are given out after their node is written in a segment that stays.
        unsafe { *segment.add(id as usize % SEGMENT) }
    }

    /// Takes the lock, for a fork.
    pub fn lock(&self) {
        self.lock.lock();
    }

    /// Releases the lock.
    pub fn unlock(&self) {
        self.lock.unlock();
    }

    fn look(&self, index: *const Index, parent: u32, address: u64) -> Option<u32> {
        // SAFETY: an index is never given back.
        let index = unsafe { index.as_ref() }?;
        let mut at = hash(parent, address) as usize;
        loop {
            let id = index.slot(at).load(Acquire);
            if id == 0 {
                return None;
            }
            let node = self.node(id);
            if node.address == address && node.parent == parent {
                return Some(id);
            }
            at += 1;
        }
    }

    /// The node of a stack, innermost address first, and whether it is whole: without memory it is cut.
    pub fn intern(&self, addresses: &[usize]) -> (u32, bool) {
        let mut parent = 0;
        for address in addresses.iter().rev() {
            let address = *address as u64;
            let found = self
                .look(self.index.load(Acquire), parent, address)
                .or_else(|| self.add(parent, address));
            match found {
                Some(id) => parent = id,
                None => return (0, false),
            }
        }
        (parent, true)
    }

    #[cold]
    fn add(&self, parent: u32, address: u64) -> Option<u32> {
        let locked = crate::thread::owns_locks();
        if !locked {
            self.lock.lock();
        }
        let result = self.add_locked(parent, address);
        if !locked {
            self.lock.unlock();
        }
        result
    }

    fn add_locked(&self, parent: u32, address: u64) -> Option<u32> {
        // Another thread may have added it meanwhile.
        if let Some(id) = self.look(self.index.load(Acquire), parent, address) {
            return Some(id);
        }
        let id = self.nodes.load(Relaxed);
        let index = self.index_for(id + 1)?;
        let segment = self.segments.get(id / SEGMENT)?;
        let mut start = segment.load(Relaxed);
        if start.is_null() {
            start = memory::map(SEGMENT * size_of::<Node>())?.as_ptr().cast();
            segment.store(start, Release);
        }
        let node = Node {
            address,
            parent,
            unused: 0,
        };
        // SAFETY: the segment has room for this id, which nobody knows yet.
        unsafe { start.add(id % SEGMENT).write(node) };
        self.nodes.store(id + 1, Release);
        put(index, node, id as u32);
        Some(id as u32)
    }

    /// An index with room for so many nodes, at most half full.
    fn index_for(&self, nodes: usize) -> Option<&Index> {
        let now = self.index.load(Relaxed);
        // SAFETY: an index is never given back, because readers take no lock.
        let now = unsafe { now.as_ref() };
        if let Some(now) = now
            && nodes * 2 <= now.slots
        {
            return Some(now);
        }
        let Some(larger) = Index::make(now.map_or(FIRST_INDEX, |now| now.slots * 2)) else {
            // Still usable while it has free slots to end a search at.
            return now.filter(|now| nodes + 1 < now.slots);
        };
        // SAFETY: just made.
        let index = unsafe { &*larger };
        for id in 1..self.nodes.load(Relaxed) {
            put(index, self.node(id as u32), id as u32);
        }
        self.index.store(larger, Release);
        Some(index)
    }
}

fn put(index: &Index, node: Node, id: u32) {
    let mut at = hash(node.parent, node.address) as usize;
    while index.slot(at).load(Relaxed) != 0 {
        at += 1;
    }
    index.slot(at).store(id, Release);
}
