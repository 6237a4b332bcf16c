//! What a tool call does, as far as its arguments show it: a command, an edit of a file, or data.

use serde_json::Value;

/// The arguments of a call, in the way a person reads them.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum ToolInput {
    /// A command of a shell.
    Command(String),
    /// The lines that an edit removes and adds.
    Edit(Vec<DiffLine>),
    /// Anything else.
    Data(Value),
}

/// A line of an edit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DiffLine {
    /// `-` or `+`; a blank for a line that stays.
    pub(crate) sign: char,
    pub(crate) text: String,
}

/// Agents name the same argument in many ways.
const COMMAND: [&str; 4] = ["command", "cmd", "script", "CommandLine"];
const PATH: [&str; 8] =
    ["file_path", "path", "filePath", "target_file", "filename", "notebook_path", "file", "absolute_path"];
const BEFORE: [&str; 6] = ["old_string", "old_str", "oldString", "oldText", "old_text", "search"];
const AFTER: [&str; 6] = ["new_string", "new_str", "newString", "newText", "new_text", "replace"];
const WHOLE: [&str; 5] = ["content", "file_text", "contents", "code_edit", "new_source"];
const PATCH: [&str; 4] = ["patch", "diff", "input", "patchText"];
/// What a call is about, the first that it has.
const SUBJECT: [&str; 10] =
    ["pattern", "query", "url", "description", "question", "prompt", "task", "name", "title", "text"];

/// The most characters of a summary.
const SUMMARY: usize = 160;

fn text_of<'v>(arguments: &'v Value, names: &[&str]) -> Option<&'v str> {
    names.iter().find_map(|name| arguments.get(name)?.as_str())
}

impl ToolInput {
    /// Reads the arguments of a call.
    pub(crate) fn read(arguments: &Value) -> Self {
        let edits = arguments.get("edits").and_then(Value::as_array);
        let mut lines = Vec::new();
        for edit in edits.into_iter().flatten().chain([arguments]) {
            if let (Some(before), Some(after)) = (text_of(edit, &BEFORE), text_of(edit, &AFTER)) {
                push_edit(before, after, &mut lines);
            }
        }
        if let (true, Some(_), Some(whole)) =
            (lines.is_empty(), text_of(arguments, &PATH), text_of(arguments, &WHOLE))
        {
            push_edit("", whole, &mut lines);
        }
        if let (true, Some(patch)) = (lines.is_empty(), patch(arguments)) {
            push_patch(patch, &mut lines);
        }
        if !lines.is_empty() {
            return Self::Edit(lines);
        }
        match command(arguments) {
            Some(command) => Self::Command(command),
            None => Self::Data(arguments.clone()),
        }
    }
}

/// The command of a shell. A tool that edits a file may have a `command` such as `view`.
fn command(arguments: &Value) -> Option<String> {
    if text_of(arguments, &PATH).is_some() {
        return None;
    }
    COMMAND.iter().find_map(|name| match arguments.get(name)? {
        Value::String(command) => Some(command.clone()),
        Value::Array(words) => {
            let words: Vec<&str> = words.iter().map(Value::as_str).collect::<Option<_>>()?;
            match words.as_slice() {
                // A shell gets the command as its last word.
                [_, "-c" | "-lc" | "-Command", command] => Some((*command).to_owned()),
                words => Some(words.join(" ")),
            }
        }
        _ => None,
    })
}

fn patch(arguments: &Value) -> Option<&str> {
    let text = arguments.as_str().or_else(|| text_of(arguments, &PATCH))?;
    let starts = ["*** Begin Patch", "--- ", "diff --git ", "@@ "];
    starts.iter().any(|start| text.trim_start().starts_with(start)).then_some(text)
}

/// The lines of a patch. The names of the files before and after stand in two lines with signs of their own.
fn push_patch(patch: &str, out: &mut Vec<DiffLine>) {
    let mut lines = patch.lines().peekable();
    while let Some(line) = lines.next() {
        let is_head = line.starts_with("--- ") && lines.peek().is_some_and(|next| next.starts_with("+++ "));
        let sign = line.chars().next().filter(|sign| matches!(sign, '+' | '-') && !is_head);
        let text = match sign {
            Some(_) => line.get(1..).unwrap_or_default(),
            None => line.strip_prefix(' ').unwrap_or(line),
        };
        out.push(DiffLine { sign: sign.unwrap_or(' '), text: text.to_owned() });
        if is_head {
            out.extend(lines.next().map(|text| DiffLine { sign: ' ', text: text.to_owned() }));
        }
    }
}

/// The lines of an edit: equal ones at both ends stay.
fn push_edit(before: &str, after: &str, out: &mut Vec<DiffLine>) {
    let (before, after): (Vec<&str>, Vec<&str>) = (before.lines().collect(), after.lines().collect());
    let same = |pairs: &mut dyn Iterator<Item = (&&str, &&str)>| {
        pairs.take_while(|(before, after)| before == after).count()
    };
    let head = same(&mut before.iter().zip(&after));
    let shorter = before.len().min(after.len()) - head;
    let tail = same(&mut before.iter().rev().zip(after.iter().rev())).min(shorter);
    let mut push = |sign: char, lines: &[&str]| {
        out.extend(lines.iter().map(|line| DiffLine { sign, text: (*line).to_owned() }));
    };
    push(' ', before.get(..head).unwrap_or_default());
    push('-', before.get(head..before.len() - tail).unwrap_or_default());
    push('+', after.get(head..after.len() - tail).unwrap_or_default());
    push(' ', before.get(before.len() - tail..).unwrap_or_default());
}

/// What a call is about, in one line.
pub(crate) fn tool_subject(arguments: &Value) -> String {
    let command = command(arguments);
    let subject = text_of(arguments, &PATH).or(command.as_deref()).or_else(|| text_of(arguments, &SUBJECT));
    let line = match (subject, patch(arguments)) {
        (Some(subject), _) => subject.trim().lines().next().unwrap_or_default().to_owned(),
        (None, Some(patch)) => patched_file(patch).to_owned(),
        (None, None) => match arguments {
            Value::Null => String::new(),
            Value::Object(entries) if entries.is_empty() => String::new(),
            Value::String(text) => text.lines().next().unwrap_or_default().to_owned(),
            data => data.to_string(),
        },
    };
    match line.char_indices().nth(SUMMARY) {
        Some((end, _)) => format!("{}…", line.get(..end).unwrap_or_default()),
        None => line,
    }
}

/// The first file that a patch names.
fn patched_file(patch: &str) -> &str {
    let starts = ["*** Update File: ", "*** Add File: ", "*** Delete File: ", "+++ b/", "+++ "];
    let of_line =
        |line: &'_ str| starts.iter().find_map(|start| Some(line.len() - line.strip_prefix(start)?.len()));
    let file = patch.lines().find_map(|line| line.get(of_line(line)?..));
    file.unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn diff(arguments: &Value) -> Vec<String> {
        let ToolInput::Edit(lines) = ToolInput::read(arguments) else { panic!("{arguments}") };
        lines.iter().map(|line| format!("{}{}", line.sign, line.text)).collect()
    }

    #[test]
    fn commands_are_read_from_texts_and_lists() {
        let command = |arguments: &Value| match ToolInput::read(arguments) {
            ToolInput::Command(command) => command,
            other => panic!("{other:?}"),
        };
        assert_eq!(command(&json!({"command": "ls -l", "timeout": 5})), "ls -l");
        assert_eq!(command(&json!({"command": ["bash", "-lc", "cd /a && ls"]})), "cd /a && ls");
        assert_eq!(command(&json!({"cmd": ["git", "status"]})), "git status");
        let view = json!({"command": "view", "path": "/a.py"});
        assert_eq!(ToolInput::read(&view), ToolInput::Data(view.clone()));
        assert_eq!(tool_subject(&view), "/a.py");
    }

    #[test]
    fn edits_keep_the_lines_that_stay() {
        let edit = json!({"file_path": "/a", "old_string": "a\nb\nc", "new_string": "a\nB\nC\nc"});
        assert_eq!(diff(&edit), [" a", "-b", "+B", "+C", " c"]);
        assert_eq!(diff(&json!({"path": "/n", "content": "x\ny"})), ["+x", "+y"]);
        let several = json!({"file_path": "/a", "edits": [
            {"old_string": "1", "new_string": "2"}, {"old_string": "3", "new_string": "3\n4"},
        ]});
        assert_eq!(diff(&several), ["-1", "+2", " 3", "+4"]);
        assert_eq!(
            diff(&json!({"path": "a", "old_str": "same\nsame", "new_str": "same"})),
            [" same", "-same"]
        );
    }

    #[test]
    fn patches_are_read_by_their_signs() {
        let patch =
            "*** Begin Patch\n*** Update File: src/a.rs\n@@\n fn a() {\n-    1\n+    2\n }\n*** End Patch";
        let lines = diff(&json!({"input": patch}));
        assert_eq!(lines.get(3..6), Some(&[" fn a() {".to_owned(), "-    1".into(), "+    2".into()][..]));
        assert_eq!(tool_subject(&json!({"input": patch})), "src/a.rs");
        let sql = "--- a/x.sql\n+++ b/x.sql\n@@ -1,2 +1,2 @@\n--- old comment\n+++i;\n same";
        let lines = diff(&json!({"diff": sql}));
        assert_eq!(
            lines,
            [" --- a/x.sql", " +++ b/x.sql", " @@ -1,2 +1,2 @@", "--- old comment", "+++i;", " same"]
        );
        assert_eq!(tool_subject(&json!({"diff": "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b"})), "x");
    }

    #[test]
    fn the_subject_is_one_line() {
        assert_eq!(tool_subject(&json!({"pattern": "fn main", "glob": "*.rs"})), "fn main");
        assert_eq!(tool_subject(&json!({"city": "Rome"})), r#"{"city":"Rome"}"#);
        assert_eq!(tool_subject(&json!({})), "");
        assert_eq!(tool_subject(&json!({"command": "first\nsecond"})), "first");
        assert_eq!(tool_subject(&json!({"query": "ä".repeat(200)})).chars().count(), SUMMARY + 1);
    }
}
