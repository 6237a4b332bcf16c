//! The positions of entries that lie elsewhere, by the hashes of their keys.

use std::hash::{Hash, Hasher};

use hashbrown::HashTable;
use rustc_hash::FxHasher;

/// The hash of a key. It is the same in every process, so that one input takes the same path everywhere.
pub(super) fn hash_of<Q: Hash + ?Sized>(key: &Q) -> u64 {
    let mut hasher = FxHasher::default();
    key.hash(&mut hasher);
    hasher.finish()
}

/// Positions by hashes.
#[derive(Clone)]
pub(super) struct Index {
    /// Each position with its hash.
    slots: HashTable<(u64, u32)>,
}

impl Index {
    pub(super) const fn new() -> Self {
        Self { slots: HashTable::new() }
    }

    /// How many positions there are.
    pub(super) fn len(&self) -> usize {
        self.slots.len()
    }

    /// The position with that hash that `is_key` accepts.
    #[inline(never)]
    pub(super) fn find(&self, hash: u64, is_key: &dyn Fn(usize) -> bool) -> Option<usize> {
        let slot = self.slots.find(hash, |(own, at)| *own == hash && is_key(*at as usize))?;
        Some(slot.1 as usize)
    }

    /// Adds a position. A table has less than 2^32 entries: each takes more than a byte.
    #[inline(never)]
    pub(super) fn insert(&mut self, hash: u64, position: usize) {
        let position = u32::try_from(position).unwrap_or(u32::MAX);
        self.slots.insert_unique(hash, (hash, position), |(hash, _)| *hash);
    }

    /// Takes a position out.
    #[inline(never)]
    pub(super) fn remove(&mut self, hash: u64, position: usize) {
        if let Ok(slot) = self.slots.find_entry(hash, |(_, at)| *at as usize == position) {
            slot.remove();
        }
    }

    /// Notes that the entry of a position lies at another one now.
    #[inline(never)]
    pub(super) fn moved(&mut self, hash: u64, from: usize, to: usize) {
        if let Some((_, at)) = self.slots.find_mut(hash, |(_, at)| *at as usize == from) {
            *at = u32::try_from(to).unwrap_or(u32::MAX);
        }
    }
}
