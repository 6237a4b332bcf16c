//! A release of the module is split (`xtask/src/wasm_parts`).

use std::env;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let is = |name: &str, wanted: &str| env::var(name).is_ok_and(|value| value == wanted);
    if is("CARGO_CFG_TARGET_ARCH", "wasm32") && is("PROFILE", "release") {
        // The split has to know everything that refers to functions and data.
        println!("cargo::rustc-link-arg-cdylib=--emit-relocs");
    }
}
