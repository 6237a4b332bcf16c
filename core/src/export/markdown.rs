//! Markdown for a person to read. No text of the run becomes markup: prose is escaped and quoted, and
//! multi-line text is in a fence that is longer than any run of backticks in it.

use super::formats::Format;
use super::page::{Block, page};
use super::{Exported, Settings};
use crate::replay::Timeline;

pub(super) static FORMAT: Format = Format {
    name: "markdown",
    title: "Markdown",
    purpose: "For an issue or a message",
    description: "a page for people",
    file: ("", ".md"),
    ..Format::BASE
};

pub(super) fn write(timeline: &Timeline, settings: &Settings) -> Exported {
    let page = page(timeline, settings.text.as_deref().unwrap_or_default());
    let mut out = format!("# {}\n", escaped(&page.title));
    let mut depth = 0_usize;
    for block in &page.blocks {
        match block {
            Block::Facts(facts) => {
                for (at, (key, value)) in facts.iter().enumerate() {
                    out.push_str(if at == 0 { "\n" } else { "" });
                    out.push_str(&format!("- {}: {}\n", escaped(key), escaped(&value.replace('\n', " "))));
                }
            }
            Block::Message { title, remarks, .. } => {
                let level = "#".repeat((2 + depth).min(6));
                out.push_str(&format!("\n{level} {}\n", escaped(&title.replace('\n', " "))));
                if !remarks.is_empty() {
                    out.push_str(&format!("\n*{}*\n", escaped(&remarks.join(" · ").replace('\n', " "))));
                }
            }
            Block::Text(text) if is_prose(text) => {
                out.push('\n');
                let mut lines = text.lines().peekable();
                while let Some(line) = lines.next() {
                    // A backslash at the end of a line keeps its break.
                    let is_kept = !line.is_empty() && lines.peek().is_some_and(|next| !next.is_empty());
                    out.push_str(&format!("> {}{}\n", escaped(line), if is_kept { "\\" } else { "" }));
                }
            }
            Block::Text(text) => fenced(&mut out, "text", text),
            Block::Data { title, text } => {
                if !title.is_empty() {
                    out.push_str(&format!("\n{}:\n", escaped(&title.replace('\n', " "))));
                }
                fenced(&mut out, if text.starts_with(['{', '[']) { "json" } else { "text" }, text);
            }
            Block::Begin(title) => {
                depth += 1;
                let level = "#".repeat((1 + depth).min(6));
                out.push_str(&format!("\n{level} {}\n", escaped(&title.replace('\n', " "))));
            }
            Block::End => {
                depth = depth.saturating_sub(1);
                out.push_str("\n---\n");
            }
        }
    }
    Exported { text: out, losses: page.losses.finish() }
}

/// Whether a text has only paragraphs, and few lines: indents, fences and tables keep their look in a fence.
fn is_prose(text: &str) -> bool {
    text.lines().count() <= 40
        && !text.contains("```")
        && !text.lines().any(|line| line.starts_with([' ', '\t', '|']) || line.trim_end() != line)
}

/// A text in a fence that it cannot end.
fn fenced(out: &mut String, language: &str, text: &str) {
    let (mut longest, mut run) = (2, 0);
    for c in text.chars() {
        run = if c == '`' { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    let fence = "`".repeat(longest + 1);
    out.push_str(&format!("\n{fence}{language}\n{text}\n{fence}\n"));
}

/// A line without markup: a backslash precedes all punctuation that may be markup.
fn escaped(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let number = line.bytes().take_while(u8::is_ascii_digit).count();
    for (at, c) in line.char_indices() {
        let is_first = at == 0 || (at == number && matches!(c, '.' | ')'));
        if "\\`*_[]<>&|~$".contains(c) || (is_first && "#+-=.)!:".contains(c)) {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_line_becomes_markup() {
        for (line, wanted) in [
            ("# title", "\\# title"),
            ("- item", "\\- item"),
            ("1. item", "1\\. item"),
            ("10) item", "10\\) item"),
            ("<img src=x onerror=y>", "\\<img src=x onerror=y\\>"),
            ("[a](javascript:b)", "\\[a\\](javascript:b)"),
            ("a - b. c", "a - b. c"),
            ("&lt;", "\\&lt;"),
        ] {
            assert_eq!(escaped(line), wanted);
        }
    }

    #[test]
    fn a_fence_is_longer_than_the_backticks_in_it() {
        let mut out = String::new();
        fenced(&mut out, "text", "a\n````\nb");
        assert_eq!(out, "\n`````text\na\n````\nb\n`````\n");
    }
}
