//! The parts of the module `transcript-wasm`, by its exports.

use super::split::split_in_order;
use crate::failure::Outcome;

/// The exports of the parts after the first, by how their names begin; the functions that free handles have `__wbg_` before that.
const READER: [&str; 1] = ["reader_"];
const LOGS: [&str; 1] = ["logs_"];
const AUTHORING: [&str; 5] = ["author", "eventcall", "eventloghandle_", "rerunhandle_", "simulationhandle_"];

fn is_of(prefixes: &[&str], export: &str) -> bool {
    let name = export.strip_prefix("__wbg_").unwrap_or(export).to_lowercase();
    prefixes.iter().any(|prefix| name.starts_with(prefix))
}

fn is_authoring(export: &str) -> bool {
    is_of(&AUTHORING, export)
}

fn is_logs_or_later(export: &str) -> bool {
    is_of(&LOGS, export) || is_authoring(export)
}

fn is_worker_or_authoring(export: &str) -> bool {
    is_of(&READER, export) || is_logs_or_later(export)
}

/// The two parts of the package: `core.wasm` opens and replays documents. Only a program that writes or changes documents, and the
/// workbench, need `authoring.wasm`.
pub(crate) fn split_package(linked: &[u8], whole: Vec<u8>) -> Outcome<Vec<Vec<u8>>> {
    split_in_order(linked, whole, &[is_worker_or_authoring])
}

/// The three parts of the page's module: what the reader needs, what only opening a log needs besides, and what only authoring needs.
pub(crate) fn split_page(linked: &[u8], whole: Vec<u8>) -> Outcome<Vec<Vec<u8>>> {
    split_in_order(linked, whole, &[is_logs_or_later, is_authoring])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exports_are_found_by_their_class_or_function() {
        for (export, parts) in [
            ("reader_read", [true, false, false]),
            ("__wbg_logs_free", [true, true, false]),
            ("author", [true, true, true]),
            ("__wbg_simulationhandle_free", [true, true, true]),
            ("__wbindgen_malloc", [false, false, false]),
            ("documenthandle_open", [false, false, false]),
        ] {
            let found = [is_worker_or_authoring, is_logs_or_later, is_authoring].map(|is_in| is_in(export));
            assert_eq!(found, parts, "{export}");
        }
    }
}
