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
pub fn sort_by<T>(items: &mut [T], compare: impl Fn(&T, &T) -> Ordering) {
    let order = order(items.len(), &|one, other| match (items.get(one), items.get(other)) {
        (Some(one), Some(other)) => compare(one, other),
        _ => Ordering::Equal,
    });
    arrange(items, order);
}

/// Sorts by the result of `key`; equal items keep their order.
///
/// ```
/// use transcript_core::text::sort_by_key;
/// let mut numbers = vec![3, 1, 2];
/// sort_by_key(&mut numbers, |number| *number);
/// assert_eq!(numbers, [1, 2, 3]);
/// ```
pub fn sort_by_key<T, K: Ord>(items: &mut [T], key: impl Fn(&T) -> K) {
    sort_by(items, |one, other| key(one).cmp(&key(other)));
}

/// The places `0..len` in order; none if they are in order already.
#[inline(never)]
fn order(len: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    if (1..len).all(|place| compare(place - 1, place).is_le()) {
        return Vec::new();
    }
    let mut places: Vec<usize> = (0..len).collect();
    places.sort_by(|one, other| compare(*one, *other));
    places
}

/// Moves the items so that each place has the item that was at the place in `order`, which names each place once. Without an
/// order they stay.
pub(super) fn arrange<T>(items: &mut [T], order: Vec<usize>) {
    swap_in_cycles(order, &mut |one, other| items.swap(one, other));
}

#[inline(never)]
fn swap_in_cycles(mut order: Vec<usize>, swap: &mut dyn FnMut(usize, usize)) {
    for start in 0..order.len() {
        let mut place = start;
        // A place that is done names itself.
        while let Some(own) = order.get_mut(place) {
            let from = std::mem::replace(own, place);
            if from == start {
                break;
            }
            swap(place, from);
            place = from;
        }
    }
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

#[cfg(test)]
mod tests {
    use super::sort_by_key;

    #[test]
    fn every_order_of_six_items_is_sorted_and_equal_items_keep_theirs() {
        // Each number below 6^6 is six digits, so all orders and repetitions are tried.
        for number in 0..46_656_usize {
            let digits = (0..6).map(|place| number / 6_usize.pow(place) % 6);
            let mut items: Vec<(usize, usize)> = digits.enumerate().map(|(at, digit)| (digit, at)).collect();
            let mut expected = items.clone();
            expected.sort_unstable();
            sort_by_key(&mut items, |(digit, _)| *digit);
            assert_eq!(items, expected);
        }
    }
}
