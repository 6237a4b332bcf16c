//! The npm package of the core: conversions only.
//!
//! Text, bytes and JSON text go in; text, numbers and JSON text come out. Only [`document`], [`session`],
//! [`mock`], [`recorder`], [`rerun`], [`simulation`], [`project`], [`mod@detect`], [`mod@events`], [`wire`] and [`entry`] know `wasm_bindgen`; what the others make of the core's answers is tested natively.
//!
//! For the package one module is built of it and split in two: `core.wasm`, which opens and replays documents, and
//! `authoring.wasm`, which a program adds to it when it first writes or changes a document. The workers of the page have a build of
//! their own, with the feature `page`, in four parts.

#[cfg(feature = "runtime")]
pub mod answer;
#[cfg(feature = "authoring")]
pub mod authoring;
#[cfg(feature = "runtime")]
pub mod checking;
#[cfg(feature = "runtime")]
pub mod detect;
#[cfg(feature = "runtime")]
pub mod document;
#[cfg(feature = "authoring")]
pub mod entry;
#[cfg(feature = "authoring")]
pub mod events;
#[cfg(feature = "runtime")]
pub mod mock;
pub mod options;
#[cfg(feature = "runtime")]
pub mod project;
#[cfg(feature = "runtime")]
pub mod recorder;
#[cfg(feature = "authoring")]
pub mod rerun;
#[cfg(feature = "runtime")]
pub mod run;
#[cfg(feature = "runtime")]
pub mod session;
#[cfg(feature = "authoring")]
pub mod simulation;
#[cfg(feature = "runtime")]
pub mod state;
#[cfg(feature = "runtime")]
pub mod wire;
#[cfg(feature = "workers")]
pub mod workers;
#[cfg(feature = "runtime")]
pub mod writing;

use wasm_bindgen::prelude::wasm_bindgen;

/// Makes a panic, which is always a fault of this package, an exception with its words and place.
#[wasm_bindgen(start)]
pub fn start() {
    std::panic::set_hook(Box::new(|info| wasm_bindgen::throw_str(&info.to_string())));
}
