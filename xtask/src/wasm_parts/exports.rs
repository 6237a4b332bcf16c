//! The parts of the module `transcript-wasm`, by its exports.

use super::split::{LaterPart, split_in_order};
use crate::failure::Outcome;

/// The exports of the parts after the first, by how their names begin; the functions that free handles have `__wbg_` before that.
const READER: [&str; 1] = ["reader_"];
/// What the reader is asked after a document has been opened.
const EXTRA: [&str; 7] = [
    "reader_totals",
    "reader_timeline",
    "reader_find",
    "reader_offer",
    "reader_price",
    "reader_fix",
    "reader_refuse",
];
const LOGS: [&str; 1] = ["logs_"];
const ARCHIVES: [&str; 1] = ["logs_archives"];
const AUTHORING: [&str; 5] = ["author", "eventcall", "eventloghandle_", "rerunhandle_", "simulationhandle_"];

fn is_of(prefixes: &[&str], export: &str) -> bool {
    let name = export.strip_prefix("__wbg_").unwrap_or(export).to_lowercase();
    prefixes.iter().any(|prefix| name.starts_with(prefix))
}

fn is_authoring(export: &str) -> bool {
    is_of(&AUTHORING, export)
}

fn is_extra_or_later(export: &str) -> bool {
    is_of(&EXTRA, export) || is_logs_or_later(export)
}

fn is_logs_or_later(export: &str) -> bool {
    is_of(&LOGS, export) || is_authoring(export)
}

fn is_archives_or_later(export: &str) -> bool {
    is_of(&ARCHIVES, export) || is_authoring(export)
}

fn is_workers(export: &str) -> bool {
    is_of(&READER, export) || is_of(&LOGS, export)
}

fn is_authoring_or_workers(export: &str) -> bool {
    is_authoring(export) || is_workers(export)
}

/// The three parts of the package: `core.wasm` opens and replays documents. Only a program that writes or changes documents needs
/// `authoring.wasm`, and only the workers of the site need `workers.wasm` besides.
pub(crate) fn split_package(linked: &[u8], whole: Vec<u8>) -> Outcome<Vec<Vec<u8>>> {
    let authoring = LaterPart { has_export: is_authoring_or_workers, has_sentences: true };
    let workers = LaterPart { has_export: is_workers, has_sentences: false };
    split_in_order(linked, whole, &[authoring, workers])
}

/// The five parts of the page's module: what opening a document needs, what only some methods of the reader need, what only opening
/// a log needs besides, what only unpacking archives needs, and what only authoring needs.
pub(crate) fn split_page(linked: &[u8], whole: Vec<u8>) -> Outcome<Vec<Vec<u8>>> {
    let extra = LaterPart { has_export: is_extra_or_later, has_sentences: false };
    let logs = LaterPart { has_export: is_logs_or_later, has_sentences: false };
    let archives = LaterPart { has_export: is_archives_or_later, has_sentences: false };
    let authoring = LaterPart { has_export: is_authoring, has_sentences: true };
    split_in_order(linked, whole, &[extra, logs, archives, authoring])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exports_are_found_by_their_class_or_function() {
        for (export, parts) in [
            ("reader_read", [true, true, false, false, false, false]),
            ("reader_fixed", [true, true, true, false, false, false]),
            ("__wbg_logs_free", [true, true, true, true, false, false]),
            ("logs_archivesUnpack", [true, true, true, true, true, false]),
            ("author", [true, false, true, true, true, true]),
            ("__wbg_simulationhandle_free", [true, false, true, true, true, true]),
            ("__wbindgen_malloc", [false; 6]),
            ("documenthandle_open", [false; 6]),
        ] {
            let predicates = [
                is_authoring_or_workers,
                is_workers,
                is_extra_or_later,
                is_logs_or_later,
                is_archives_or_later,
                is_authoring,
            ];
            assert_eq!(predicates.map(|is_in| is_in(export)), parts, "{export}");
        }
    }
}
