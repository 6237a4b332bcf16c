//! The pages below `public/docs` as text: blocks, tables, links.

use std::fs;
use std::path::{Path, PathBuf};

pub(crate) fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../public/docs")
}

/// The page at a path below the folder; an error that names it when there is none.
pub(crate) fn read(path: &str) -> String {
    let path = folder().join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// All pages, as paths below the folder, in order.
pub(crate) fn all() -> Vec<String> {
    let mut found = Vec::new();
    for below in ["", "diagnostics/"] {
        for entry in fs::read_dir(folder().join(below)).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            if name.ends_with(".md") {
                found.push(format!("{below}{name}"));
            }
        }
    }
    found.sort();
    found
}

/// A fenced block.
#[derive(Debug, PartialEq)]
pub(crate) struct Block {
    pub(crate) language: String,
    pub(crate) text: String,
}

/// The fenced blocks of a text.
pub(crate) fn blocks(text: &str) -> Vec<Block> {
    let mut found: Vec<Block> = Vec::new();
    let mut open = false;
    for line in text.lines() {
        match line.strip_prefix("```") {
            Some(language) if !open => {
                found.push(Block { language: language.to_owned(), text: String::new() });
                open = true;
            }
            Some(_) => open = false,
            None if open => {
                let block = found.last_mut().unwrap();
                block.text.push_str(line);
                block.text.push('\n');
            }
            None => {}
        }
    }
    assert!(!open, "a fenced block is not closed in:\n{text}");
    found
}

/// The text below the heading `## NAME`, up to the next such heading.
pub(crate) fn section<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    let heading = format!("\n## {name}\n");
    let start = text.find(&heading)? + heading.len();
    let rest = &text[start..];
    Some(rest.find("\n## ").map_or(rest, |end| &rest[..end + 1]))
}

/// The page with the table of a section replaced by `rows`; the first is its head.
pub(crate) fn with_table(text: &str, name: &str, rows: &[Vec<String>]) -> String {
    let body = section(text, name).unwrap_or_else(|| panic!("no section `{name}`"));
    let start = body.as_ptr() as usize - text.as_ptr() as usize;
    let mut out = text[..start].to_owned();
    let mut written = false;
    let table = || {
        let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
        let rule = line(&vec!["---".to_owned(); rows[0].len()]);
        line(&rows[0]) + &rule + &rows[1..].iter().map(|row| line(row)).collect::<String>()
    };
    for line in body.split_inclusive('\n') {
        if !line.starts_with('|') {
            out.push_str(line);
        } else if !written {
            out.push_str(&table());
            written = true;
        }
    }
    assert!(written, "the section `{name}` has no table");
    out + &text[start + body.len()..]
}

/// Compares a page with what it should be; with `UPDATE=1` writes that.
pub(crate) fn compare(path: &str, expected: &str) {
    if std::env::var_os("UPDATE").is_some() {
        fs::write(folder().join(path), expected).unwrap();
    }
    let now = read(path);
    let differing = now.lines().zip(expected.lines()).find(|(now, expected)| now != expected);
    assert!(now == expected, "{path} is out of date at {differing:?}; UPDATE=1 writes it anew");
}

/// The targets of the links of a text, those in fenced blocks left out.
pub(crate) fn links(text: &str) -> Vec<String> {
    let mut open = false;
    let mut found = Vec::new();
    for line in text.lines() {
        open ^= line.starts_with("```");
        let parts = line.split("](").skip(1).filter(|_| !open);
        found.extend(parts.filter_map(|part| part.split_once(')')).map(|(target, _)| target.to_owned()));
    }
    found
}

/// The names that links may use for the headings of a text.
pub(crate) fn anchors(text: &str) -> Vec<String> {
    let headings = text.lines().filter_map(|line| line.strip_prefix('#'));
    headings
        .map(|heading| {
            let heading = heading.trim_start_matches('#').trim().to_lowercase();
            let kept = heading.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
            kept.map(|c| if c == ' ' { '-' } else { c }).collect()
        })
        .collect()
}
