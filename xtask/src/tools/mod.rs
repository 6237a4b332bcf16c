//! What the commands need from the machine, and how it gets there when it is missing.

pub(crate) mod browser;
pub(crate) mod cargo_tool;
pub(crate) mod install;
pub(crate) mod node;
pub(crate) mod python;
pub(crate) mod rust;

use std::path::PathBuf;

use crate::failure::Outcome;
use crate::project;

use cargo_tool::{CargoTool, VersionRequirement};

/// The release of trunk that builds with the Rust version of this project; 0.22 needs a newer one.
const TRUNK: &str = "0.21.14";

/// The release whose output `web/build/split-page.mjs` knows.
const WASM_SPLIT: &str = "0.2.4";

/// trunk without its TLS, which only downloads need: what trunk would download, this program has put on PATH.
pub(crate) fn trunk() -> CargoTool {
    CargoTool {
        package: "trunk",
        executable: "trunk",
        wanted: VersionRequirement::Exactly(TRUNK.to_owned()),
        arguments: &["--locked", "--no-default-features"],
        // It waits for cargo and for wasm-bindgen; its own work is small.
        opt_level: "0",
        crates: 370,
    }
}

/// wasm-bindgen's command line of the very version that the crates are built with.
pub(crate) fn wasm_bindgen() -> Outcome<CargoTool> {
    Ok(CargoTool {
        package: "wasm-bindgen-cli",
        executable: "wasm-bindgen",
        wanted: VersionRequirement::Exactly(project::locked_version("wasm-bindgen")?),
        // Without `--locked`: the packed lock file names a release that registries have withdrawn.
        arguments: &["--no-default-features"],
        // It reads the whole development wasm at every change, so that opt-level 0 is felt.
        opt_level: "1",
        crates: 150,
    })
}

/// The splitter of the page's module: what is hidden at first is in files of its own.
pub(crate) fn wasm_split() -> CargoTool {
    CargoTool {
        package: "wasm_split_cli_support",
        executable: "wasm-split-cli",
        wanted: VersionRequirement::Unreported(WASM_SPLIT),
        arguments: &["--locked", "--features", "build-binary"],
        opt_level: "1",
        crates: 60,
    }
}

/// The licence, source and advisory check.
pub(crate) fn cargo_deny() -> CargoTool {
    CargoTool {
        package: "cargo-deny",
        executable: "cargo-deny",
        wanted: VersionRequirement::AtLeast { version: "0.18.0", install: "0.20.2" },
        arguments: &["--locked"],
        opt_level: "0",
        crates: 140,
    }
}

/// Makes sure of all `tools` and returns the folders that hold them, for PATH.
pub(crate) fn ensure(tools: &[CargoTool]) -> Outcome<Vec<PathBuf>> {
    let missing: Vec<&CargoTool> = tools.iter().filter(|tool| tool.find().is_none()).collect();
    if !missing.is_empty() {
        install::install(&missing)?;
    }
    tools.iter().map(CargoTool::folder).collect()
}
