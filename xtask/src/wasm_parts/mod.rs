//! Splits a wasm module in two, the functions that a first use calls and all others, and counts what a module does.
//!
//! `web/build/split-by-calls.mjs` decides which functions come first: those that a first use calls, which a copy of
//! the module notes. The first part has a stub for each function of the rest that it calls. A stub calls the import
//! `split.load`, which instantiates the rest, and then the function itself through a table that both parts share. So a
//! program works whatever it calls; only when the rest comes differs.
//!
//! `exports.rs` decides by exports: a later part has some of them, and what only they need, with its data. There are no stubs then:
//! the host adds the later part. The first part of such a split can be split once more, by exports or by calls. A later part calls
//! functions of all parts before it, so that the host adds them in their order.
//!
//! `similar.rs` orders the functions of a part so that it compresses better, and `one_table.rs` joins the tables that parts share.

mod exports;
mod meter;
mod module;
mod note_calls;
mod one_table;
mod reach;
mod similar;
mod split;

use crate::failure::Failure;

pub(crate) use exports::{split_package, split_page};
pub(crate) use meter::meter;
pub(crate) use note_calls::note_calls;
pub(crate) use one_table::share_one_table;
pub(crate) use similar::order_by_similarity;
pub(crate) use split::split;

/// An error of the reader or the writer of modules.
fn unreadable(error: impl std::fmt::Display) -> Failure {
    Failure::new(format!("cannot split the wasm module: {error}"))
}
