//! The keys of maps into their canonical order.

use super::order::Order;
use super::scalar;
use super::tree::Tree;
use crate::text::sort_by_key;

/// Sorts the keys of every map of a known kind, and marks the values that must be true or false.
pub(super) fn sort(tree: &mut Tree<'_>, order: Order) {
    if let Some(root) = tree.root() {
        collection(tree, root, order);
    }
}

fn collection(tree: &mut Tree<'_>, number: usize, order: Order) {
    let Some(all) = tree.collections.get(number) else { return };
    let mut entries: Vec<(usize, usize, Order)> = Vec::with_capacity(all.entries.len());
    for number in &all.entries {
        let Some(entry) = tree.entries.get(*number) else { continue };
        let (place, within) = match &entry.key {
            None => (0, order.of_items()),
            Some(key) => match scalar::key_text(&key.data) {
                Some(key) => (order.place(&key), order.at(&key)),
                None => (usize::MAX, Order::Keep),
            },
        };
        entries.push((place, *number, within));
    }
    for (_, entry, within) in &entries {
        let Some(entry) = tree.entry(*entry) else { continue };
        entry.value.is_truth = within.is_truth();
        if let Some(inner) = entry.value.collection() {
            collection(tree, inner, *within);
        }
    }
    if tree.same_anchors || entries.is_sorted_by_key(|(place, ..)| *place) || !may_move(tree, number) {
        return;
    }
    sort_by_key(&mut entries, |(place, ..)| *place);
    if let Some(all) = tree.collections.get_mut(number) {
        all.entries = entries.into_iter().map(|(_, entry, _)| entry).collect();
    }
}

/// Whether the entries of a map may change places: none has an alias to an anchor in another.
fn may_move(tree: &Tree<'_>, number: usize) -> bool {
    let Some(all) = tree.collections.get(number) else { return false };
    let starts: Vec<usize> =
        all.entries.iter().filter_map(|number| tree.entries.get(*number)).map(|entry| entry.start).collect();
    let first = tree.aliases.partition_point(|(at, _)| *at < all.start);
    let entry_at = |at: usize| starts.partition_point(|start| *start <= at);
    let within = tree.aliases.get(first..).unwrap_or(&[]).iter().take_while(|(at, _)| *at < all.end);
    within
        .filter(|(_, anchor)| *anchor >= all.start)
        .all(|(alias, anchor)| entry_at(*alias) == entry_at(*anchor))
}
