//! The settings of a file, in its own comments.
//!
//! `# transcript: off=T302,unknown-key warning=T401` before the first key applies to the whole file. At the
//! end of a line it applies to what begins on that line, alone on a line to the next one.

use super::{Level, Levels, NAMES, bad_level, bad_rule};
use crate::diagnostic::{Applicability, Diagnostic, Severity, codes};
use crate::parse::{Limits, PieceKind, SETTINGS, layout};
use crate::text::{LineIndex, Span, Table};

/// The prefix of a comment that sets levels.
const MARK: &str = SETTINGS;

/// The levels set by a file's comments.
#[derive(Default)]
pub(super) struct Comments {
    /// For the whole file.
    pub file: Levels,
    /// For single lines, in order of code and place.
    pub lines: Vec<Line>,
    /// Problems in the comments.
    pub diagnostics: Vec<Diagnostic>,
}

/// A setting for one line.
pub(super) struct Line {
    code: &'static str,
    level: Level,
    /// The text that it is for.
    range: Span,
    /// The name of the rule in the comment.
    name: Span,
    /// The comment, if it has no other content.
    comment: Option<Span>,
    /// Whether something was found that it is for.
    used: bool,
}

impl Comments {
    /// The level set by the line of a finding.
    pub(super) fn on_line(&mut self, diagnostic: &Diagnostic) -> Option<Level> {
        let (code, at) = (diagnostic.code, diagnostic.span.start);
        let after = self.lines.partition_point(|line| (line.code, line.range.start) <= (code, at));
        let line = self.lines.get_mut(after.checked_sub(1)?)?;
        let is_about = line.code == code && at < line.range.end;
        line.used |= is_about;
        is_about.then_some(line.level)
    }

    /// Reports the settings of lines that no finding was for.
    pub(super) fn unused(&mut self, text: &str) {
        for line in self.lines.iter().filter(|line| !line.used) {
            let message = format!("`{}` has no effect on this line", line.name.slice(text));
            let diagnostic = Diagnostic::new(codes::UNUSED_SETTING, Severity::Info, line.name, message)
                .help("remove it from the comment");
            self.diagnostics.push(match line.comment {
                Some(comment) => {
                    let (title, span) = ("remove the comment", with_blanks(text, comment));
                    diagnostic.fix(Applicability::Suggested, title, span, "")
                }
                None => diagnostic,
            });
        }
    }
}

/// A comment with the blanks before it; the whole line if it has nothing else.
fn with_blanks(text: &str, comment: Span) -> Span {
    let before = text.get(..comment.start as usize).unwrap_or("").trim_end_matches([' ', '\t']);
    let after = text.get(comment.end as usize..).unwrap_or("");
    let line_end = after.find('\n').map_or(after.len(), |newline| newline + 1);
    let alone = before.is_empty() || before.ends_with('\n');
    Span::new(before.len(), comment.end as usize + if alone { line_end } else { 0 })
}

/// Reads the comments of a text. If the text is not well-formed, only those before the first key are
/// known.
pub(super) fn read(text: &str, limits: &Limits, well_formed: bool) -> Comments {
    let mut comments = Comments::default();
    // Hardly any text has such a comment, and to lay one out costs as much as to parse it.
    let is_near =
        |at: usize| text.get(..at).and_then(|before| before.strip_suffix(['t', 'T'])).is_some_and(is_marked);
    if !text.match_indices("ranscript").any(|(at, _)| is_near(at)) {
        return comments;
    }
    let pieces = if well_formed { layout(text, limits) } else { None };
    let Some(pieces) = pieces else {
        let mut at = 0;
        for line in text.split_inclusive('\n') {
            let inner = line.trim_start_matches(['\u{feff}', ' ', '\t']);
            if inner.starts_with('#') {
                let start = at + line.len() - inner.len();
                comments.comment(text, Span::new(start, start + inner.trim_end().len()), None);
            } else if !inner.trim().is_empty() && !inner.starts_with(['%', '-']) {
                break;
            }
            at += line.len();
        }
        return comments;
    };
    let first = pieces.iter().position(|piece| matches!(piece.kind, PieceKind::Scalar(_) | PieceKind::Alias));
    let first = first.unwrap_or(pieces.len());
    let index = LineIndex::new(text);
    // A text over several lines has no room for comments of its own, so a comment next to its first line
    // applies to all of them.
    let mut ends: Table<u32, u32> = Table::new();
    for piece in pieces.iter().filter(|piece| matches!(piece.kind, PieceKind::Scalar(_))) {
        let end = ends.entry(index.line(piece.span.start as usize)).or_default();
        *end = (*end).max(piece.span.end);
    }
    let starts = |line: u32| index.start(line).unwrap_or(text.len());
    // The lines with nothing but a comment, each with the next line that is not one.
    let mut alone: Table<u32, u32> = Table::new();
    for piece in pieces.iter().rev().filter(|piece| piece.kind == PieceKind::Comment) {
        let line = index.line(piece.span.start as usize);
        let before = text.get(starts(line)..piece.span.start as usize).unwrap_or("x");
        if before.trim_start_matches('\u{feff}').trim_start().is_empty() {
            alone.insert(line, alone.get(&(line + 1)).copied().unwrap_or(line + 1));
        }
    }
    for (at, piece) in pieces.iter().enumerate().filter(|(_, piece)| piece.kind == PieceKind::Comment) {
        let range = (at > first).then(|| {
            let line = index.line(piece.span.start as usize);
            let line = alone.get(&line).copied().unwrap_or(line);
            let end = starts(line + 1).max(ends.get(&line).map_or(0, |end| *end as usize + 1));
            Span::new(starts(line), end)
        });
        comments.comment(text, piece.span, range);
    }
    crate::text::sort_by_key(&mut comments.lines, |line| (line.code, line.range.start));
    comments
}

/// Whether a text ends with the begin of a comment and blanks.
fn is_marked(before: &str) -> bool {
    before.trim_end_matches([' ', '\t']).ends_with('#')
}

impl Comments {
    /// Reads one comment, which is for `range` or for the whole file.
    fn comment(&mut self, text: &str, comment: Span, range: Option<Span>) {
        let written = comment.slice(text);
        let inner = written.trim_start_matches('#').trim_start();
        let Some(settings) = inner.strip_prefix(MARK) else {
            let start = comment.end as usize - inner.len();
            self.diagnostics.extend(misspelt_comment(inner, start));
            return;
        };
        let mut level: Option<Level> = None;
        let (before, mut names) = (self.lines.len(), 0);
        let mut at = comment.end as usize - settings.len();
        for word in settings.split([' ', '\t', ',']) {
            let here = at;
            at += word.len() + 1;
            if word.is_empty() {
                continue;
            }
            // What follows is the author's reason.
            if level.is_some() && (word == "--" || word == "because") {
                break;
            }
            let span = Span::new(here, here + word.len());
            let (name, span) = match word.split_once('=') {
                Some((named, rest)) => {
                    level = Level::new(named);
                    if level.is_none() {
                        let span = Span::new(here, here + named.len());
                        self.diagnostics.push(bad_level(text, named, span));
                        return;
                    }
                    (rest, Span::new(here + named.len() + 1, here + word.len()))
                }
                // A comment of another sort may begin with the same word.
                None if level.is_none() => {
                    if NAMES.iter().any(|known| known.name == word) {
                        self.diagnostics.push(no_rule(word, span));
                    } else if let Some(known) = codes::find(word).filter(|known| is_name(word, known.code)) {
                        self.diagnostics.push(no_severity(known.code, word, span));
                    }
                    return;
                }
                None => (word, span),
            };
            names += usize::from(!name.is_empty());
            if let (Some(level), false) = (level, name.is_empty()) {
                self.set(name, level, span, range);
            }
        }
        if let [line] = self.lines.get_mut(before..).unwrap_or_default() {
            line.comment = (names == 1).then_some(comment);
        }
    }

    fn set(&mut self, name: &str, level: Level, span: Span, range: Option<Span>) {
        let mut levels = Levels::default();
        if !levels.set(name, level) {
            self.diagnostics.push(bad_rule("", name, span));
        } else if let Some(range) = range {
            let settings = levels.0.into_keys().map(|code| Line {
                code,
                level,
                range,
                name: span,
                comment: None,
                used: false,
            });
            self.lines.extend(settings);
        } else {
            self.file.0.extend(levels.0);
        }
    }
}

/// The diagnostic for a comment at `start` of the text that would set a level, except for a misspelt
/// prefix.
fn misspelt_comment(inner: &str, start: usize) -> Option<Diagnostic> {
    let word = inner.get(..MARK.len() - 1).filter(|word| word.eq_ignore_ascii_case("transcript"))?;
    let rest = inner.get(word.len()..)?;
    let settings = rest.strip_prefix(':').unwrap_or(rest);
    let (named, _) = settings.trim_start().split_once('=')?;
    Level::new(named)?;
    let length = inner.len() - settings.len();
    let span = Span::new(start, start + length);
    let message = format!("`{}` is not a settings comment", inner.get(..length)?);
    let diagnostic = Diagnostic::new(codes::RULE_SETTING, Severity::Warning, span, message);
    let title = "write `transcript:`";
    Some(diagnostic.help("start settings with `transcript:`").fix(
        Applicability::Suggested,
        title,
        span,
        MARK,
    ))
}

/// Whether a word can only be the name of a rule: its code, or words with a dash between.
fn is_name(word: &str, code: &str) -> bool {
    word.eq_ignore_ascii_case(code) || word.contains('-')
}

fn no_severity(code: &str, word: &str, span: Span) -> Diagnostic {
    let message = format!("`{word}` has no severity");
    Diagnostic::new(codes::RULE_SETTING, Severity::Warning, span, message)
        .help(format!("add a severity: `off={code}`, `info={code}`, `warning={code}` or `error={code}`"))
}

fn no_rule(word: &str, span: Span) -> Diagnostic {
    let message = format!("`{word}` has no rule");
    Diagnostic::new(codes::RULE_SETTING, Severity::Warning, span, message)
        .help(format!("add a rule: `{word}=T201`"))
        .fix(Applicability::Suggested, "add `=` after it", Span::empty(span.end as usize), "=")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::apply;

    fn comments(text: &str) -> Comments {
        read(text, &Limits::default(), true)
    }

    fn lines(text: &str) -> Vec<(&'static str, &str)> {
        comments(text).lines.iter().map(|line| (line.code, line.range.slice(text))).collect()
    }

    #[test]
    fn a_comment_before_the_first_key_is_for_the_file() {
        for text in [
            "# transcript: off=T204\na: 1\n",
            "\u{feff}#transcript:off=t204\r\na: 1\r\n",
            "\n# words\n# transcript: warning=T103, T208 off=unanswered-call\n---\na: 1\n",
        ] {
            let found = comments(text);
            assert_eq!(found.file.get("T204"), Some(Level::Off), "{text}");
            assert!(found.lines.is_empty() && found.diagnostics.is_empty(), "{text}");
        }
    }

    #[test]
    fn a_comment_is_for_its_line_or_the_next() {
        assert_eq!(lines("a: 1 # transcript: off=T204\nb: 2\n"), [("T204", "a: 1 # transcript: off=T204\n")]);
        assert_eq!(lines("a: 1\n# transcript: off=T204\n# words\nb: 2\nc: 3"), [("T204", "b: 2\n")]);
        let block = "a: | # transcript: off=T204,T103\n  one\n  two\nb: 2\n";
        let all = "a: | # transcript: off=T204,T103\n  one\n  two\n";
        assert_eq!(lines(block), [("T103", all), ("T204", all)]);
    }

    #[test]
    fn other_comments_and_texts_are_left_alone() {
        for text in [
            "# transcript: of the weather run\na: 1",
            "# the transcript: off=T204\na: 1",
            "a: \"# transcript: off=T204\"\n",
            "a: |\n  # transcript: off=T204\n",
        ] {
            let found = comments(text);
            assert!(found.file == Levels::default() && found.lines.is_empty(), "{text}");
            assert!(found.diagnostics.is_empty(), "{text}");
        }
    }

    #[test]
    fn a_comment_that_nearly_sets_something_is_reported() {
        for (text, begin, mended) in [
            ("# transcript off=T204\na: 1", "transcript", "# transcript: off=T204\na: 1"),
            ("# Transcript: off=T204\na: 1", "Transcript:", "# transcript: off=T204\na: 1"),
            ("a: 1 # Transcript off=T204,T103", "Transcript", "a: 1 # transcript: off=T204,T103"),
        ] {
            let found = comments(text).diagnostics;
            let reported: Vec<_> = found.iter().map(|found| (found.code, found.span.slice(text))).collect();
            assert_eq!(reported, [("T109", begin)], "{text}");
            let edits = &found.first().unwrap().fixes.first().unwrap().edits;
            assert_eq!(apply(text, edits).as_deref(), Some(mended));
        }
        assert_eq!(comments("# Transcript of the run: a=b\na: 1").diagnostics, []);
    }

    #[test]
    fn a_reason_may_follow() {
        for reason in ["because we want it", "-- we want T999 = x"] {
            let text = format!("# transcript: off=T204,T103 {reason}\na: 1");
            let found = comments(&text);
            assert_eq!(found.diagnostics, [], "{text}");
            assert_eq!(
                (found.file.get("T204"), found.file.get("T103")),
                (Some(Level::Off), Some(Level::Off))
            );
        }
    }

    #[test]
    fn of_a_broken_text_the_head_is_known() {
        let text = "# transcript: off=T204\n\na: [\n# transcript: off=T103\n";
        let found = read(text, &Limits::default(), false);
        assert_eq!(found.file.get("T204"), Some(Level::Off));
        assert_eq!(found.file.get("T103"), None);
        assert!(found.lines.is_empty());
    }

    #[test]
    fn a_comment_without_other_content_is_removed() {
        let cases = [
            ("a: 1 # transcript: off=T204\nb: 2\n", Some("a: 1\nb: 2\n")),
            ("a: 1\n# transcript: off=T204\nb: 2\n", Some("a: 1\nb: 2\n")),
            ("a: 1\nb:\n  # transcript: off=T204\r\n  c: 1\n", Some("a: 1\nb:\n  c: 1\n")),
            ("a: 1 # transcript: off=T204,T103\n", None),
            ("a: 1 # transcript: off=T204,T999\n", None),
        ];
        for (text, mended) in cases {
            let mut found = comments(text);
            found.unused(text);
            let unused = found.diagnostics.iter().find(|found| found.code == codes::UNUSED_SETTING).unwrap();
            let edits = unused.fixes.first().map(|fix| fix.edits.as_slice());
            assert_eq!(edits.and_then(|edits| apply(text, edits)).as_deref(), mended, "{text}");
        }
    }
}
