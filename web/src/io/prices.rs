//! The table of prices: a person's own, else the one that comes with the site.

use std::cell::RefCell;

use super::{page, reader, settings};

const OWN: &str = "prices";

thread_local! {
    static TABLE: RefCell<String> = const { RefCell::new(String::new()) };
    static ERROR: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// The table that is in use, as text; empty before it came.
pub(crate) fn known() -> String {
    TABLE.with_borrow(Clone::clone)
}

/// The table as text; empty when it did not come.
pub(crate) async fn table() -> String {
    let table = known();
    if !table.is_empty() {
        return table;
    }
    let own = settings::get(OWN).unwrap_or_default();
    let error = if own.is_empty() { None } else { reader::price_error(&own).await };
    let table = match error.as_deref() {
        Some("") => own,
        _ => page::fetch_text("prices.json").await.unwrap_or_default(),
    };
    // Meanwhile a person may have chosen one.
    TABLE.with_borrow_mut(|known| {
        if known.is_empty() {
            *known = table;
            ERROR.set(error.filter(|error| !error.is_empty()));
        }
        known.clone()
    })
}

/// Whether the browser keeps a table of the person.
pub(crate) fn is_own() -> bool {
    settings::get(OWN).is_some_and(|own| !own.is_empty())
}

/// Why that table is not in use.
pub(crate) fn own_error() -> Option<String> {
    ERROR.with_borrow(Clone::clone)
}

/// Uses this table from now on; an empty text stands for the one of the site. Whether the browser keeps it.
pub(crate) fn replace(table: String) -> bool {
    let is_kept = settings::set(OWN, &table);
    TABLE.set(table);
    ERROR.set(None);
    is_kept
}
