//! Parts of the Rust toolchain that rustup can add.

use crate::failure::{Failure, Outcome};
use crate::{process, progress};

const WASM: &str = "wasm32-unknown-unknown";

/// Makes sure that the standard library for wasm is there.
pub(crate) fn ensure_wasm_target() -> Outcome {
    let folder =
        process::capture(process::command("rustc").args(["--print", "target-libdir", "--target", WASM]))?;
    if std::path::Path::new(folder.trim()).is_dir() {
        return Ok(());
    }
    add("target", WASM, "the standard library for wasm")
}

/// Makes sure of `cargo fmt` and `cargo clippy`, which rustup's minimal profile leaves out.
pub(crate) fn ensure_components() -> Outcome {
    for (subcommand, component) in [("fmt", "rustfmt"), ("clippy", "clippy")] {
        if !process::succeeds(process::cargo().args([subcommand, "--version"])) {
            add("component", component, component)?;
        }
    }
    Ok(())
}

fn add(kind: &str, name: &str, what: &str) -> Outcome {
    if process::on_path("rustup").is_none() {
        return Err(Failure::new(format!(
            "this Rust installation lacks {what}, and there is no rustup to add it"
        ))
        .help(format!("install `{name}` by the package manager that installed Rust, or use rustup")));
    }
    progress::step(format!("adding {what} (rustup {kind} add {name})"));
    process::run(process::command("rustup").args([kind, "add", name]))
}
