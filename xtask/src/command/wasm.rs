//! `cargo xtask wasm`: the build of the page splits a module with it (`web/build/split-by-calls.mjs`), and a test counts what the
//! package does (`tests/package/node/budgets.test.mjs`).

use std::fs;

use crate::arguments::Arguments;
use crate::failure::{Context, Failure, Outcome};
use crate::wasm_parts;

const USAGE: &str = "\
`cargo xtask wasm note-calls MODULE COPY` writes a copy that notes its calls;
`cargo xtask wasm meter MODULE COPY` writes a copy that counts its instructions;
`cargo xtask wasm order MODULE COPY` writes a copy with similar functions next to each other;
`cargo xtask wasm share-table FIRST PART...` gives the parts of a module, in their order, one table in place of all that they share;
`cargo xtask wasm split MODULE CALLED SHORT FIRST REST` writes the two parts, where CALLED lists the functions of the first, which
    functions of up to SHORT bytes join;
`cargo xtask wasm split-page LINKED MODULE READER EXTRA LOGS ARCHIVES AUTHORING` writes the five parts of the module of the
    page's workers, where LINKED is the module before wasm-bindgen";

pub(crate) fn run(mut arguments: Arguments) -> Outcome {
    let mut words = Vec::new();
    while let Some(word) = arguments.next_word() {
        words.push(word);
    }
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["note-calls", module, copy] => write(copy, &wasm_parts::note_calls(&read(module)?)?),
        ["order", module, copy] => write(copy, &wasm_parts::order_by_similarity(&read(module)?)?),
        ["share-table", parts @ ..] => {
            let read = parts.iter().map(|path| read(path)).collect::<Outcome<Vec<_>>>()?;
            let written = wasm_parts::share_one_table(&read)?;
            parts.iter().zip(written).try_for_each(|(path, bytes)| write(path, &bytes))
        }
        ["meter", module, copy] => write(copy, &wasm_parts::meter(&read(module)?)?),
        ["split", module, called, short, first, rest] => {
            let numbers =
                String::from_utf8_lossy(&read(called)?).split_whitespace().map(str::parse).collect();
            let called: Vec<usize> = Result::map_err(numbers, |error| {
                Failure::new(format!("`{called}` is no list of numbers: {error}"))
            })?;
            let short =
                short.parse().map_err(|error| Failure::new(format!("`{short}` is no number: {error}")))?;
            let parts = wasm_parts::split(&read(module)?, &called, short)?;
            write(first, &parts.0)?;
            write(rest, &parts.1)
        }
        ["split-page", linked, module, parts @ ..] if parts.len() == 5 => {
            let written = wasm_parts::split_page(&read(linked)?, read(module)?)?;
            parts.iter().zip(written).try_for_each(|(path, bytes)| write(path, &bytes))
        }
        _ => Err(Failure::new("`cargo xtask wasm` takes what to do and files").help(USAGE)),
    }
}

fn read(path: &str) -> Outcome<Vec<u8>> {
    fs::read(path).context(|| format!("read {path}"))
}

fn write(path: &str, bytes: &[u8]) -> Outcome {
    fs::write(path, bytes).context(|| format!("write {path}"))
}
