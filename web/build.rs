//! A release of the page is split: see `src/panes/lazy_panes.rs` for what is split off, and `build/split-page.mjs` for how.

use std::env;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-check-cfg=cfg(split)");
    let is = |name: &str, wanted: &str| env::var(name).is_ok_and(|value| value == wanted);
    if is("CARGO_CFG_TARGET_ARCH", "wasm32") && is("PROFILE", "release") {
        println!("cargo::rustc-cfg=split");
        // The splitter moves functions and data, so it has to know everything that refers to them.
        println!("cargo::rustc-link-arg-bins=--emit-relocs");
    }
}
