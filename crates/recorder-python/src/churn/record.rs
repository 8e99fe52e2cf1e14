//! What was made, by stack and type.

use rustc_hash::FxHashMap;

use super::beside::Beside;
use super::charges::{Charges, LARGE, SHIFT};
use super::learned::{CLASSES, Class, Learned};
use super::row::Row;
use super::sampled::Sampled;
use super::stacks::{NONE, Stacks};
use super::types::Types;
use crate::layout::object;
use crate::raw::{Address, class_of};

/// The row of what is not recorded.
const NOBODY: u32 = 0;

/// All blocks of one class that one stack made, before their types are read.
#[derive(Clone, Copy)]
struct Site {
    stack: u32,
    class: Class,
    /// The last object that was one of its blocks: how far inside, its type, and its row.
    before: usize,
    of_class: Address,
    row: u32,
}

/// A recorded block: its row and its bytes, and whether it is the C library's.
#[derive(Clone, Copy)]
pub struct Weighed {
    row: u32,
    bytes: u64,
    pub is_large: bool,
}

pub struct Record {
    pub paused: bool,
    pub stacks: Stacks,
    pub types: Types,
    pub learned: Learned,
    pub charges: Charges,
    /// Where only some blocks are recorded.
    pub sampled: Option<Sampled>,
    beside: Beside,
    /// The stacks for which blocks of the interpreter's free lists were taken again, where the interpreter says of each object that
    /// it begins.
    pub reused: Option<Beside>,
    /// The block that was made last, until an object begins in it.
    last: Address,
    sites: Vec<Site>,
    site_ids: Vec<[u32; CLASSES]>,
    pub rows: Vec<Row>,
    row_ids: FxHashMap<(u32, Option<u32>, u64), u32>,
}

impl Record {
    pub fn new(stacks: Stacks, types: Types, charges: Charges, sampled: Option<Sampled>) -> Self {
        Self {
            paused: true,
            stacks,
            types,
            learned: Learned::default(),
            charges,
            sampled,
            beside: Beside::default(),
            reused: None,
            last: 0,
            sites: vec![Site {
                stack: NONE,
                class: Class::Unknown,
                before: 0,
                of_class: 0,
                row: NOBODY,
            }],
            site_ids: Vec::new(),
            rows: vec![Row::default()],
            row_ids: FxHashMap::default(),
        }
    }

    /// Notes a new block, the C library's or one of a pool.
    ///
    /// # Safety
    /// The interpreter's lock is held.
    #[inline]
    pub unsafe fn made(&mut self, block: Address, is_large: bool, asked: usize, from: Address, usual: Class) {
        if self.paused {
            if self.learned.is_learning {
                self.learned.note(block, from);
            }
            return;
        }
        // SAFETY: the caller's promise.
        let stack = unsafe { self.stacks.now() };
        let class = self.learned.class(from).unwrap_or(usual);
        let site = self.site(stack, class);
        if let Some(number) = self.beside.of(block).filter(|_| site != NOBODY) {
            // SAFETY: the place of the block's number.
            unsafe { number.write(site << SHIFT | Charges::size(is_large, asked)) };
            self.last = block;
        }
    }

    /// Notes that an object begins. Its block is new, or one of an object that went before.
    ///
    /// # Safety
    /// The interpreter's lock is held.
    #[inline]
    pub unsafe fn begins(&mut self, object: Address) {
        let last = std::mem::take(&mut self.last);
        // A block begins with what the object's type has before it, at most two pairs of words.
        if self.paused || (object.wrapping_sub(2 * object::GC)..=object).contains(&last) {
            return;
        }
        // SAFETY: the caller's promise.
        unsafe { self.begins_again(object) };
    }

    #[cold]
    unsafe fn begins_again(&mut self, object: Address) {
        let starts = [object::GC, 0, 2 * object::GC].map(|before| object.wrapping_sub(before));
        let block = starts.into_iter().find(|&start| {
            let number = self.beside.known(start);
            // SAFETY: the place of a block's number.
            number.is_some_and(|number| unsafe { number.read() } != NOBODY)
        });
        if let Some(block) = block {
            // SAFETY: the caller's promise.
            let stack = unsafe { self.stacks.now() };
            if let Some(place) = self.reused.as_mut().and_then(|reused| reused.of(block)) {
                // SAFETY: the place of the block's number.
                unsafe { place.write(stack) };
            }
        }
    }

    /// Weighs a block that is about to be freed.
    ///
    /// # Safety
    /// The interpreter's lock is held; the block is alive.
    #[inline]
    pub unsafe fn dies(&mut self, block: Address) {
        // SAFETY: the caller's promise.
        if let Some(moved) = unsafe { self.may_move(block) } {
            self.moves(block, moved);
        }
    }

    /// What a recorded block is while it is whole: it may be gone when it is known whether it moved.
    ///
    /// # Safety
    /// As for [`Self::dies`].
    #[inline]
    pub unsafe fn may_move(&mut self, block: Address) -> Option<Weighed> {
        let place = self.beside.known(block)?;
        // SAFETY: the place of the block's number, and the caller's promise.
        unsafe {
            let number = place.read();
            if number == NOBODY {
                return None;
            }
            let size = number & LARGE;
            let bytes = self.charges.of(block, size);
            let row = self.row(number >> SHIFT, block, bytes);
            Some(Weighed {
                row,
                bytes,
                is_large: size == LARGE,
            })
        }
    }

    /// A block is gone from its address.
    #[inline]
    pub fn moves(&mut self, block: Address, weighed: Weighed) {
        forget(&self.beside, block);
        if let Some(reused) = &self.reused {
            forget(reused, block);
        }
        self.rows[weighed.row as usize].add(weighed.bytes);
    }

    /// The stack that asked for a block, or took it again from a free list; [`NONE`] where nobody saw it.
    pub fn stack_of(&self, block: Address) -> u32 {
        let number_in = |of_blocks: &Beside| {
            // SAFETY: the place of the block's number.
            of_blocks.known(block).map(|place| unsafe { place.read() })
        };
        let again = self.reused.as_ref().and_then(number_in);
        if let Some(again) = again.filter(|&again| again != NONE) {
            return again;
        }
        let site = number_in(&self.beside).and_then(|number| self.sites.get((number >> SHIFT) as usize));
        site.map_or(NONE, |site| site.stack)
    }

    #[inline]
    pub fn site(&mut self, stack: u32, class: Class) -> u32 {
        let known = self.site_ids.get(stack as usize).map(|ids| ids[class as usize]);
        known
            .filter(|&site| site != NOBODY)
            .unwrap_or_else(|| self.new_site(stack, class))
    }

    #[cold]
    fn new_site(&mut self, stack: u32, class: Class) -> u32 {
        if self.site_ids.len() <= stack as usize {
            self.site_ids
                .resize(self.stacks.all.len().max(stack as usize + 1), [NOBODY; CLASSES]);
        }
        let site = self.sites.len() as u32;
        if site >> (u32::BITS - SHIFT) != 0 {
            return NOBODY;
        }
        self.site_ids[stack as usize][class as usize] = site;
        self.sites.push(Site {
            stack,
            class,
            before: 0,
            of_class: 0,
            row: NOBODY,
        });
        site
    }

    /// The row of a block of a site.
    ///
    /// # Safety
    /// The block is alive.
    #[inline]
    unsafe fn row(&mut self, site: u32, block: Address, bytes: u64) -> u32 {
        let known = self.sites[site as usize];
        let is_same = known.row != NOBODY
            && (known.class != Class::Object
                || known.of_class != 0
                    && bytes as usize >= known.before + object::HEADER
                    // SAFETY: within the block.
                    && unsafe { class_of(block + known.before) } == known.of_class);
        if is_same {
            return known.row;
        }
        // SAFETY: as above.
        unsafe { self.find_row(site, block, bytes) }
    }

    #[cold]
    unsafe fn find_row(&mut self, site: u32, block: Address, bytes: u64) -> u32 {
        let Site { stack, class, .. } = self.sites[site as usize];
        // SAFETY: the caller's promise.
        let (type_id, before, of_class) = unsafe { self.type_of(class, block, bytes) };
        let row = self.row_of(stack, type_id, 0);
        // One of unknown type says nothing about the next.
        if class != Class::Object || of_class != 0 {
            let site = &mut self.sites[site as usize];
            (site.before, site.of_class, site.row) = (before, of_class, row);
        }
        row
    }

    /// The type of a block of a class, where in it the object is, and the type's address.
    ///
    /// # Safety
    /// The block is alive.
    pub unsafe fn type_of(
        &mut self,
        class: Class,
        block: Address,
        bytes: u64,
    ) -> (Option<u32>, usize, Address) {
        match class {
            // SAFETY: the caller's promise.
            Class::Object => match unsafe { self.types.of(block, bytes as usize) } {
                Some(found) => (Some(found.id), found.before, found.class),
                None => (None, 0, 0),
            },
            class => {
                let written = class.written();
                (written.map(|(name, kind)| self.types.named(name, kind)), 0, 0)
            }
        }
    }

    /// The row of what a stack made of a type; of one size, where that is not 0.
    pub fn row_of(&mut self, stack: u32, type_id: Option<u32>, size: u64) -> u32 {
        let next = self.rows.len() as u32;
        let row = *self.row_ids.entry((stack, type_id, size)).or_insert(next);
        if row == next {
            self.rows.push(Row {
                stack,
                type_id,
                ..Row::default()
            });
        }
        row
    }

    /// All rows, with what is alive now.
    ///
    /// # Safety
    /// The interpreter's lock is held.
    pub unsafe fn all(&mut self) -> Vec<Row> {
        let mut alive = Vec::new();
        self.beside.each(|block, number| alive.push((block, number)));
        let mut left = Vec::with_capacity(alive.len());
        for (block, number) in alive {
            // SAFETY: what has a number is alive.
            unsafe {
                let bytes = self.charges.of(block, number & LARGE);
                left.push((self.row(number >> SHIFT, block, bytes), bytes));
            }
        }
        // SAFETY: the caller's promise.
        left.extend(unsafe { self.sampled_alive() });
        let mut rows = self.rows.clone();
        for (row, bytes) in left {
            let row = &mut rows[row as usize];
            row.add(bytes);
            row.kept += 1;
            row.kept_bytes += bytes;
        }
        rows.retain(|row| row.count > 0);
        rows
    }

    /// Begins anew, with the names that are known.
    pub fn forget(&mut self) {
        for row in &mut self.rows {
            *row = Row {
                stack: row.stack,
                type_id: row.type_id,
                ..Row::default()
            };
        }
        self.beside.clear();
        if let Some(reused) = &mut self.reused {
            reused.clear();
        }
        if let Some(sampled) = &mut self.sampled {
            sampled.forget();
        }
    }
}

/// A block has no number any more.
#[inline]
fn forget(of_blocks: &Beside, block: Address) {
    if let Some(place) = of_blocks.known(block) {
        // SAFETY: the place of the block's number.
        unsafe { place.write(NOBODY) };
    }
}
