//! Tables of the core that the package needs as values.

use transcript_core::model::Tokens;
use transcript_core::wire::finish_reasons;

const TOKENS: &str = "/**
 * The names of each token count. The first that is present counts; a `/` leads into a map. The prompt includes `cached`
 * and `cacheWritten`, and the completion includes `reasoning`. Neither includes the counts whose name begins with `separate`.
 */";

const FINISH: &str = "/** The finish reasons of vendors and frameworks, in lower case. Any other reason means a normal end. */";

/// The file with the names that vendors have for counts of tokens and for finish reasons.
pub(crate) fn vendor_names() -> String {
    let tokens = table("TOKEN_NAMES", &Tokens::names());
    let reasons = table("FINISH_REASONS", &finish_reasons());
    format!("// Written by the tests from the Rust tables.\n\n{TOKENS}\n{tokens}\n{FINISH}\n{reasons}")
}

fn table(name: &str, rows: &[(&str, &[&str])]) -> String {
    let row = |(key, names): &(&str, &[&str])| {
        let names: String = names.iter().map(|name| format!("    '{name}',\n")).collect();
        format!("  {key}: [\n{names}  ],\n")
    };
    let rows: String = rows.iter().map(row).collect();
    format!("export const {name} = {{\n{rows}}}\n")
}
