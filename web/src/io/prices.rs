//! The table of prices: a person's own, else the one that comes with the site.

use std::cell::RefCell;

use super::{page, settings};

const OWN: &str = "prices";

thread_local! {
    static TABLE: RefCell<String> = const { RefCell::new(String::new()) };
}

/// The table as text; empty when it did not come.
pub(crate) async fn table() -> String {
    let mut table = TABLE.with_borrow(Clone::clone);
    if table.is_empty() {
        table = match settings::get(OWN).filter(|own| !own.is_empty()) {
            Some(own) => own,
            None => page::fetch_text("prices.json").await.unwrap_or_default(),
        };
        TABLE.set(table.clone());
    }
    table
}

/// Whether the table is a person's own.
pub(crate) fn is_own() -> bool {
    settings::get(OWN).is_some_and(|own| !own.is_empty())
}

/// Uses this table from now on; an empty text stands for the one of the site.
pub(crate) fn replace(table: String) {
    settings::set(OWN, &table);
    TABLE.set(table);
}
