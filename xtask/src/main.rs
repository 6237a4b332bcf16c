//! The project's only task runner: `cargo xtask <command>`.
//!
//! It depends on little, so that the first `cargo xtask` on a new machine starts soon: on what packs files and splits modules.
//! A command is a file under `command`; what a command needs from the machine is a file under `tools`.

mod arguments;
mod command;
mod failure;
mod package;
mod process;
mod progress;
mod project;
mod report;
mod server;
mod suite;
mod tally;
mod tar;
mod tools;
mod wasm_parts;
mod workbench;

use std::process::ExitCode;

use arguments::Arguments;
use failure::{Failure, Outcome};

const USAGE: &str = "\
Usage: cargo xtask <command>

  serve [--release] [--open] [--port N] [--base /PATH/]
                  build the workbench and serve it on this machine only; live reload without --release
  test            install what the tests need, run everything, close with one line `N passed, N failed`
  build           leave the static site in dist/site and the packed npm package in dist
  bench           run the benchmarks of tests/bench in release
  conformance SYSTEM [DIR...]
                  run observations of a real system (good-agent) against the simulator, those in DIR or our own
  corpus DIR      read every log below a folder and print what it holds; compare with its expected.jsonl
  size            print the raw, gzip and brotli size of what users download
  fmt [--check]   format the Rust code
  wasm            split a module in two, or count its instructions
  lint            formatting, clippy, Biome, tsc, the import and size check, licences and sources of the dependencies

Missing tools are built into .tools, or into the folder that TRANSCRIPT_TOOLS_DIR names.";

fn main() -> ExitCode {
    match run(Arguments::from_process()) {
        Ok(code) => code,
        Err(failure) => {
            eprintln!("{failure}");
            ExitCode::FAILURE
        }
    }
}

fn run(mut arguments: Arguments) -> Outcome<ExitCode> {
    let Some(command) = arguments.next_word() else {
        println!("{USAGE}");
        return Ok(ExitCode::from(2));
    };
    let done = |()| ExitCode::SUCCESS;
    match command.as_str() {
        "serve" => command::serve::run(arguments).map(done),
        "test" => command::test::run(arguments),
        "build" => command::build::run(arguments).map(done),
        "bench" => command::bench::run(arguments).map(done),
        "conformance" => command::conformance::run(arguments),
        "corpus" => command::corpus::run(arguments),
        "size" => command::size::run(arguments).map(done),
        "fmt" => command::fmt::run(arguments).map(done),
        "lint" => command::lint::run(arguments),
        "wasm" => command::wasm::run(arguments).map(done),
        "help" | "--help" | "-h" => {
            println!("{USAGE}");
            Ok(ExitCode::SUCCESS)
        }
        other => Err(Failure::new(format!("unknown command `{other}`")).help(USAGE)),
    }
}
