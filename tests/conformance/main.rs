//! Conformance: whether the simulator does what real systems were observed to do.
//!
//! Without arguments it runs the goldens of this folder; `cargo xtask conformance good-agent DIR`
//! runs any other folder of such files. Each file is named with `ok` or `failed` and the first difference.

mod check;
mod compare;
mod convert;
mod difference;
mod function;
mod ids;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use serde_json::Value;

use difference::Difference;

/// What is known to differ: the name of a golden, and why it is right that it does.
const EXCEPTIONS: [(&str, &str); 0] = [];

fn main() -> ExitCode {
    let folders: Vec<PathBuf> =
        std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).map(PathBuf::from).collect();
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("conformance");
    let folders = if folders.is_empty() { vec![own.join("goldens")] } else { folders };
    let (mut passed, mut failed) = (0_usize, 0_usize);
    for folder in &folders {
        let files = match files(folder) {
            Ok(files) => files,
            Err(error) => {
                println!("failed {}: {error}", folder.display());
                failed += 1;
                continue;
            }
        };
        for file in files {
            let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
            match run(&file) {
                Outcome::Passed => {
                    passed += 1;
                    println!("ok     {name}");
                }
                Outcome::NoGolden(why) => println!("no golden {name}: {why}"),
                Outcome::Failed(difference) => {
                    let exception = EXCEPTIONS.iter().find(|(golden, _)| name.starts_with(golden));
                    match exception {
                        Some((_, reason)) => println!("except {name}: {difference}\n       because {reason}"),
                        None => {
                            failed += 1;
                            println!("failed {name}: {difference}");
                        }
                    }
                }
            }
        }
    }
    if passed == 0 && failed == 0 {
        println!("failed: there is no golden to run");
        failed = 1;
    }
    println!("{passed} passed, {failed} failed");
    if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

enum Outcome {
    Passed,
    Failed(Box<Difference>),
    NoGolden(String),
}

/// The files of a folder and the folders in it, in the order of their names.
fn files(folder: &Path) -> Result<Vec<PathBuf>, std::io::Error> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        found.push(entry?.path());
    }
    found.sort();
    let mut files = Vec::new();
    for path in found {
        if path.is_dir() {
            files.extend(self::files(&path)?);
        } else {
            files.push(path);
        }
    }
    Ok(files)
}

fn run(file: &Path) -> Outcome {
    let text = match std::fs::read_to_string(file) {
        Ok(text) => text,
        Err(error) => return Outcome::NoGolden(error.to_string()),
    };
    let golden: Value = match serde_json::from_str(&text) {
        Ok(golden) => golden,
        Err(error) => return Outcome::NoGolden(format!("it is not JSON: {error}")),
    };
    match golden.get("schema").and_then(Value::as_str) {
        Some("good-agent-golden/1") => {}
        Some(other) => return Outcome::NoGolden(format!("its schema is `{other}`")),
        None => return Outcome::NoGolden("it names no schema".to_owned()),
    }
    match check::check(&golden) {
        Ok(()) => Outcome::Passed,
        Err(difference) => Outcome::Failed(difference),
    }
}
