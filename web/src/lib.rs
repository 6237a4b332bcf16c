//! The workbench page: text is the only source of truth, everything on screen is derived from it.
//!
//! `state` derives, `panes` show, `io` alone touches the browser, `ui` knows nothing of transcripts.

#![expect(unreachable_pub, reason = "the component macro makes public items of private components")]

mod app;
mod io;
mod panes;
mod state;
mod strings;
mod tenths;
mod ui;

pub use app::App;
pub use io::page::{report_panic, root};
