//! `cargo xtask bench`

use crate::arguments::Arguments;
use crate::failure::Outcome;
use crate::tools::{browser, node};
use crate::{package, process, project, workbench};

/// The packages that ours is measured against; in one folder npm would mix what they bring.
const PEERS: [&str; 4] = ["aimock", "ai-sdk", "langchain", "openai-agents"];

/// Runs the benchmarks of the core, then those of the packed package in Node, compared with other packages too, and those
/// of the page compared with Playwright's viewer.
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
    workbench::build_site()?;
    // They take the browser and the server of the journeys.
    node::ensure_packages(&project::root().join("tests").join("e2e"))?;
    let page = benches.join("page");
    let chromium = browser::ensure_chromium()?;
    let mut command = node::for_folder(&page);
    process::run(command.arg("bench.mjs").env("CHROMIUM", chromium).env("TRANSCRIPT_SITE", project::site()))
}
