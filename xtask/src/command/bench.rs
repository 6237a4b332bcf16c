//! `cargo xtask bench`

use crate::arguments::Arguments;
use crate::failure::Outcome;
use crate::tools::node;
use crate::{package, process, project};

/// Runs the benchmarks of the core, and then those of the packed package in Node.
pub(crate) fn run(arguments: Arguments) -> Outcome {
    arguments.finish()?;
    process::run(process::cargo().args(["bench", "--package", "transcript-tests", "--bench", "*"]))?;
    let packed = package::build()?;
    let folder = project::root().join("tests").join("bench").join("reading");
    node::ensure_packages(&folder)?;
    for script in ["bench.mjs", "events.mjs"] {
        process::run(node::for_folder(&folder).arg(script).env("TRANSCRIPT_TARBALL", &packed))?;
    }
    Ok(())
}
