//! One page of a list.

use transcript_core::view::{PageRequest, TabList};

/// The wanted page of a list; without a start, the last one.
pub(crate) fn paged<T, Facts, Item>(
    list: &[T],
    page: PageRequest,
    facts: Facts,
    show: impl Fn(&T) -> Item,
) -> TabList<Facts, Item> {
    let length = page.length.max(1);
    let start = page.start.unwrap_or(list.len().saturating_sub(1) / length * length);
    let items = list.iter().skip(start).take(length).map(show).collect();
    TabList { facts, count: list.len(), start, items }
}
