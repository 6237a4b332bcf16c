//! Sorting and collecting code that is compiled once, not for every type.
//!
//! The sort of the standard library takes some 5 KB of wasm for each type and order, and so does collecting
//! into an ordered map or set, which sorts first.

use std::cmp::Ordering;

/// Sorts by `compare`; equal items keep their order. Sorted input costs one pass.
///
/// ```
/// use transcript_core::text::sort_by;
/// let mut words = vec!["bb", "c", "aa"];
/// sort_by(&mut words, |one, other| one.len().cmp(&other.len()));
/// assert_eq!(words, ["c", "bb", "aa"]);
/// ```
pub fn sort_by<T>(items: &mut Vec<T>, compare: impl Fn(&T, &T) -> Ordering) {
    if items.is_sorted_by(|one, other| compare(one, other).is_le()) {
        return;
    }
    let order = order(items.len(), &|one, other| match (items.get(one), items.get(other)) {
        (Some(one), Some(other)) => compare(one, other),
        _ => Ordering::Equal,
    });
    let mut slots: Vec<Option<T>> = items.drain(..).map(Some).collect();
    items.extend(order.into_iter().filter_map(|place| slots.get_mut(place)?.take()));
}

/// Sorts by the result of `key`; equal items keep their order.
///
/// ```
/// use transcript_core::text::sort_by_key;
/// let mut numbers = vec![3, 1, 2];
/// sort_by_key(&mut numbers, |number| *number);
/// assert_eq!(numbers, [1, 2, 3]);
/// ```
pub fn sort_by_key<T, K: Ord>(items: &mut Vec<T>, key: impl Fn(&T) -> K) {
    sort_by(items, |one, other| key(one).cmp(&key(other)));
}

/// The places `0..len` in order.
#[inline(never)]
fn order(len: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut places: Vec<usize> = (0..len).collect();
    places.sort_by(|one, other| compare(*one, *other));
    places
}

/// The items as an ordered map or set, inserted one by one.
///
/// ```
/// use std::collections::BTreeSet;
/// use transcript_core::text::collect_one_by_one;
/// let set: BTreeSet<u8> = collect_one_by_one([2, 1, 2]);
/// assert_eq!(set.len(), 2);
/// ```
pub fn collect_one_by_one<T, C: Default + Extend<T>>(items: impl IntoIterator<Item = T>) -> C {
    let mut all = C::default();
    all.extend(items);
    all
}
