//! `cargo xtask bench`

use crate::arguments::Arguments;
use crate::failure::Outcome;
use crate::tools::node;
use crate::{package, process, project};

/// The packages that ours is measured against; in one folder npm would mix what they bring.
const PEERS: [&str; 4] = ["aimock", "ai-sdk", "langchain", "openai-agents"];

/// Runs the benchmarks of the core, and then those of the packed package in Node, beside other packages too.
pub(crate) fn run(arguments: Arguments) -> Outcome {
    arguments.finish()?;
    process::run(process::cargo().args(["bench", "--package", "transcript-tests", "--bench", "*"]))?;
    let packed = package::build()?;
    let benches = project::root().join("tests").join("bench");
    let peers = benches.join("peers");
    for peer in PEERS {
        node::ensure_packages(&peers.join(peer))?;
    }
    for (folder, script) in [
        (&benches.join("reading"), "bench.mjs"),
        (&benches.join("reading"), "events.mjs"),
        (&peers, "bench.mjs"),
    ] {
        node::ensure_packages(folder)?;
        process::run(node::for_folder(folder).arg(script).env("TRANSCRIPT_TARBALL", &packed))?;
    }
    Ok(())
}
