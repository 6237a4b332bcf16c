//! The lists of formats outside the core agree with their table. `UPDATE=1` rewrites what is generated.

use transcript_core::export::{Format, formats};
use transcript_tests::assert_file;

use super::forms;

#[test]
fn the_command_line_lists_all_formats() {
    let entry = |format: &&Format| {
        let Format { name, description, takes_all, takes_path, file: (prefix, ending), .. } = format;
        let options = [("all", takes_all), ("path", takes_path)];
        let options: Vec<_> =
            options.iter().filter(|(_, takes)| **takes).map(|(option, _)| format!("'{option}'")).collect();
        assert!(!description.contains(['\'', '\\']), "{description}");
        let options = options.join(", ");
        let fields = [
            format!("name: '{name}'"),
            format!("description: '{description}'"),
            format!("file: ['{prefix}', '{ending}']"),
            format!("options: [{options}]"),
        ];
        let line = format!("  {{ {} }},\n", fields.join(", "));
        // A longer line would not be in the style of the package.
        if line.len() <= 141 { line } else { format!("  {{\n    {},\n  }},\n", fields.join(",\n    ")) }
    };
    let entries: String = formats().iter().map(entry).collect();
    assert_file("wasm-pkg/js/cli/export-formats.ts", |_| {
        format!(
            "// Written by the tests from the table of formats in the core.
import type {{ ExportFormat, ExportOptions }} from '../types/index.ts'

/** A format of `convert`. */
export interface ExportFormatEntry {{
  readonly name: ExportFormat
  /** What its text is; empty if the name suffices. */
  readonly description: string
  /** The text before and after the name of a run in the name of its file. */
  readonly file: readonly [prefix: string, ending: string]
  /** The options of `exportTranscript` that it takes. */
  readonly options: readonly (keyof ExportOptions & ('all' | 'path'))[]
}}

export const EXPORT_FORMATS: readonly ExportFormatEntry[] = [
{entries}]
"
        )
    });
}

#[test]
fn the_documentation_lists_all_formats() {
    let page = include_str!("../../public/docs/export.md");
    let table = page.split_once("| `to` |").unwrap().1.split("\n\n").next().unwrap();
    let cells = table.lines().skip(2).map(|row| row.split(" | ").next().unwrap());
    let names: Vec<&str> = cells.flat_map(|cell| cell.split('`').skip(1).step_by(2)).collect();
    assert_eq!(names, forms());
}

#[test]
fn names_and_files_are_distinct() {
    for (at, format) in formats().iter().enumerate() {
        for other in &formats()[..at] {
            assert!(format.name != other.name && format.title != other.title, "{}", format.name);
            assert_ne!(format.file, other.file, "{}", format.name);
        }
    }
}
