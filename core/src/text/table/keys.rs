//! Keys with their order. This code is there once for each type of keys, whatever the values are.

use std::borrow::Borrow;
use std::cmp::Ordering;

use super::positions::{self, Found, Positions};
use crate::text::order::arrange;

/// Different keys in the order of insertion, found by their own order.
#[derive(Clone)]
pub(super) struct Keys<K> {
    list: Vec<K>,
    order: Positions,
}

impl<K> Keys<K> {
    pub(super) const fn new() -> Self {
        Self { list: Vec::new(), order: Positions::new() }
    }

    pub(super) const fn len(&self) -> usize {
        self.list.len()
    }

    /// The keys in order.
    pub(super) fn iter(&self) -> Iter<'_, K> {
        Iter { list: &self.list, order: self.order.iter() }
    }

    /// The keys in the order of insertion, and the positions in the order of the keys; none if these are the same.
    pub(super) fn into_parts(self) -> (Vec<K>, Vec<usize>) {
        (self.list, self.order.unless_in_place())
    }

    /// The keys in order.
    pub(super) fn into_vec(self) -> Vec<K> {
        let (mut keys, order) = self.into_parts();
        arrange(&mut keys, order);
        keys
    }
}

impl<K: Ord> Keys<K> {
    fn find<Q: Ord + ?Sized>(&self, key: &Q) -> Found
    where
        K: Borrow<Q>,
    {
        let list = self.list.as_slice();
        self.order.find(&|at| list.get(at).map_or(Ordering::Less, |own| own.borrow().cmp(key)))
    }

    /// The position of a key in the order of insertion, if it is one of these.
    #[inline(never)]
    pub(super) fn position<Q: Ord + ?Sized>(&self, key: &Q) -> Option<usize>
    where
        K: Borrow<Q>,
    {
        self.find(key).position
    }

    /// Adds a key at the end if it is new. Returns its position, and whether it is new.
    #[inline(never)]
    pub(super) fn add(&mut self, key: K) -> (usize, bool) {
        let found = self.find(&key);
        if let Some(position) = found.position {
            return (position, false);
        }
        let position = self.list.len();
        self.order.insert(found, position);
        self.list.push(key);
        (position, true)
    }

    /// Removes a key and puts the last one in its place. Returns its position, if it was one of these.
    #[inline(never)]
    pub(super) fn swap_remove<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<usize>
    where
        K: Borrow<Q>,
    {
        let found = self.find(key);
        let position = found.position?;
        if position + 1 < self.list.len()
            && let Some(last) = self.list.last()
        {
            let last = self.find(last.borrow());
            self.order.moved(last, position);
        }
        self.order.remove(found);
        self.list.swap_remove(position);
        Some(position)
    }

    /// The keys up to `key`, which need not be one of them, with their positions, the last one first.
    pub(super) fn back_from(&self, key: &K) -> impl Iterator<Item = (usize, &K)> {
        let positions = self.order.back_from(self.find(key));
        positions.filter_map(|position| Some((position, self.list.get(position)?)))
    }
}

/// The keys in order with their positions; see [`Keys::iter`].
pub(super) struct Iter<'t, K> {
    list: &'t [K],
    order: positions::Iter<'t>,
}

impl<K> Clone for Iter<'_, K> {
    fn clone(&self) -> Self {
        Self { list: self.list, order: self.order.clone() }
    }
}

impl<'t, K> Iterator for Iter<'t, K> {
    type Item = (usize, &'t K);

    fn next(&mut self) -> Option<Self::Item> {
        let position = self.order.next()?;
        Some((position, self.list.get(position)?))
    }
}
