//! Documentation of Rust as a comment of TypeScript.

use crate::collect::Collected;

/// The longest line.
const WIDTH: usize = 120;

/// The comment for a piece of documentation, with its line break; empty if there is none.
pub(crate) fn comment(all: &Collected, docs: &str, indent: &str) -> String {
    let paragraphs = paragraphs(all, docs);
    match paragraphs.as_slice() {
        [] => return String::new(),
        [only] if indent.len() + only.chars().count() + "/**  */".len() <= WIDTH => {
            return format!("{indent}/** {only} */\n");
        }
        _ => {}
    }
    let mut out = format!("{indent}/**\n");
    for (at, paragraph) in paragraphs.iter().enumerate() {
        if at > 0 && !paragraph.starts_with("- ") {
            out.push_str(&format!("{indent} *\n"));
        }
        for line in wrapped(paragraph, WIDTH - indent.len() - 3) {
            out.push_str(&format!("{indent} * {line}\n"));
        }
    }
    out.push_str(&format!("{indent} */\n"));
    out
}

/// The paragraphs of a comment of `ts-rs`, without examples and in the words of TypeScript.
fn paragraphs(all: &Collected, docs: &str) -> Vec<String> {
    let inner = docs.trim().trim_start_matches("/**").trim_end_matches("*/");
    let mut out: Vec<String> = vec![String::new()];
    let mut is_example = false;
    for line in inner.lines().map(|line| line.trim().trim_start_matches('*').trim()) {
        if line.starts_with("```") {
            is_example = !is_example;
        } else if is_example {
            continue;
        } else if line.is_empty() || line.starts_with("- ") {
            out.push(line.to_owned());
        } else if let Some(last) = out.last_mut() {
            if !last.is_empty() {
                last.push(' ');
            }
            last.push_str(line);
        }
    }
    out.retain(|paragraph| !paragraph.is_empty());
    out.iter().map(|paragraph| in_typescript(all, paragraph)).collect()
}

/// Links become code with the name in TypeScript, and `None` becomes null.
fn in_typescript(all: &Collected, text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("[`") {
        let Some((code, behind)) = after.split_once("`]") else { break };
        let target = behind.strip_prefix('(').and_then(|behind| behind.split_once(')'));
        out.push_str(&format!("{before}`{}`", all.renamed(code)));
        rest = target.map_or(behind, |(_, behind)| behind);
    }
    out.push_str(rest);
    out.replace("`None`", "null")
}

fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let last = lines.last_mut().expect("there is a line");
        if !last.is_empty() && last.chars().count() + 1 + word.chars().count() > width {
            lines.push(word.to_owned());
        } else {
            if !last.is_empty() {
                last.push(' ');
            }
            last.push_str(word);
        }
    }
    lines
}

#[test]
fn a_comment_has_the_words_of_typescript() {
    let docs = "/**\n * What [`x`] and [`y`](crate::y) are;\n * `None` for none.\n *\n * ```\n * code();\n * ```\n */\n";
    assert_eq!(comment(&Collected::default(), docs, ""), "/** What `x` and `y` are; null for none. */\n");
}
