//! `cargo xtask size`

use crate::arguments::Arguments;
use crate::failure::{Failure, Outcome};
use crate::tools::node;
use crate::{process, project};

pub(crate) fn run(arguments: Arguments) -> Outcome {
    arguments.finish()?;
    if !project::site().join("index.html").is_file() {
        return Err(Failure::new("there is no built site").help("`cargo xtask build` makes it"));
    }
    print()
}

/// Prints what a first visit and what the npm package's wasm cost, from the files in `dist`.
pub(crate) fn print() -> Outcome {
    node::ensure()?;
    let script = project::root().join("xtask").join("js").join("size.mjs");
    process::run(process::command("node").arg(script).arg(project::site()).arg(project::dist().join("npm")))
}
