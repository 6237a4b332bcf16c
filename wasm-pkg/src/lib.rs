//! The npm package of the core: conversions only.
//!
//! Text, bytes and JSON text go in; text, numbers and JSON text come out. Only [`document`] and
//! [`session`] know `wasm_bindgen`; what the others make of the core's answers is tested natively.

pub mod answer;
pub mod document;
pub mod options;
pub mod run;
pub mod session;
pub mod state;

use wasm_bindgen::prelude::wasm_bindgen;

/// Makes a panic, which is always a fault of this package, an exception with its words and place.
#[wasm_bindgen(start)]
pub fn start() {
    std::panic::set_hook(Box::new(|info| wasm_bindgen::throw_str(&info.to_string())));
}
