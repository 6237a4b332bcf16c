//! `cargo xtask build`

use crate::arguments::Arguments;
use crate::failure::Outcome;
use crate::{command, package, progress, project, workbench};

pub(crate) fn run(arguments: Arguments) -> Outcome {
    arguments.finish()?;
    all()
}

/// Leaves the site and the packed package in `dist`, and prints their sizes.
pub(crate) fn all() -> Outcome {
    workbench::build_site()?;
    let packed = package::build()?;
    progress::step(format!("built {} and {}", project::site().display(), packed.display()));
    command::size::print()
}
