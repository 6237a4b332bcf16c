//! One page of a list.

use transcript_core::view::TabList;

/// The page of a list that begins at `start`; without it, the last page.
pub(crate) fn paged<T, Facts, Item>(
    list: &[T],
    start: Option<usize>,
    page: usize,
    facts: Facts,
    show: impl Fn(&T) -> Item,
) -> TabList<Facts, Item> {
    let page = page.max(1);
    let start = start.unwrap_or(list.len().saturating_sub(1) / page * page);
    let items = list.iter().skip(start).take(page).map(show).collect();
    TabList { facts, count: list.len(), start, items }
}
