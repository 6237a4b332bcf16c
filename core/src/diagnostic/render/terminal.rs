//! Diagnostics as a compiler prints them: headline, place, source line, caret, help.

mod excerpt;
mod visible;

use self::excerpt::Excerpt;
use self::visible::visible;
use super::super::{Diagnostic, Severity};
use crate::text::{LineIndex, Span};

/// The maximum number of lines shown for a finding about the whole file.
const BEGINNING: u32 = 10;

/// Whether to color the text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TerminalStyle {
    /// No escape sequences.
    #[default]
    Plain,
    /// ANSI colors.
    Ansi,
}

/// Prints the diagnostics of `text`, each followed by an empty line.
///
/// The form is rustc's. Lines and columns count from 1, columns in Unicode scalar values; the caret
/// is at the column of a terminal, with wide characters counted twice and tabs shown as four spaces.
/// Lines wider than 160 columns are cut around the place. Control and invisible characters are
/// replaced by symbols, in all parts, so that only the colors of this function reach the terminal.
///
/// ```
/// use transcript_core::diagnostic::render::{TerminalStyle, terminal};
/// use transcript_core::diagnostic::{Diagnostic, Severity};
/// use transcript_core::text::{LineIndex, Span};
/// let text = "messages:\n  - ref: msg_009\n";
/// let unknown = Diagnostic::new("T201", Severity::Error, Span::new(19, 26), "unknown message `msg_009`")
///     .label("no message has this id")
///     .help("did you mean `msg_002`?");
/// let printed = terminal("run.yaml", text, &LineIndex::new(text), &[unknown], TerminalStyle::Plain);
/// assert_eq!(
///     printed,
///     "\
/// error[T201]: unknown message `msg_009`
///  --> run.yaml:2:10
///   |
/// 2 |   - ref: msg_009
///   |          ^^^^^^^ no message has this id
///   |
///   = help: did you mean `msg_002`?
///
/// "
/// );
/// ```
#[must_use]
pub fn terminal(
    file: &str,
    text: &str,
    lines: &LineIndex,
    diagnostics: &[Diagnostic],
    style: TerminalStyle,
) -> String {
    let mut page = Page { file: visible(file), text, lines, style, gutter: 1, out: String::new() };
    for diagnostic in diagnostics {
        page.diagnostic(diagnostic);
    }
    page.out
}

/// The kind of a piece of output, for its color.
#[derive(Clone, Copy)]
enum Part {
    Severity(Severity),
    Headline,
    Gutter,
    Note,
    Help,
}

impl Part {
    /// The parameters of the escape sequence "select graphic rendition": bold, and a bright color.
    fn color(self) -> &'static str {
        match self {
            Part::Severity(Severity::Error) => "1;91",
            Part::Severity(Severity::Warning) => "1;93",
            Part::Severity(Severity::Info) | Part::Gutter => "1;94",
            Part::Headline => "1",
            Part::Note => "1;92",
            Part::Help => "1;96",
        }
    }
}

/// The output so far and its source.
struct Page<'t> {
    file: String,
    text: &'t str,
    lines: &'t LineIndex,
    style: TerminalStyle,
    /// The digits of the greatest line number in the present diagnostic.
    gutter: usize,
    out: String,
}

impl Page<'_> {
    fn diagnostic(&mut self, diagnostic: &Diagnostic) {
        let severity = diagnostic.severity;
        let excerpt = |span: Span| Excerpt::new(self.text, self.lines, span);
        let main = excerpt(diagnostic.span);
        let notes: Vec<_> =
            diagnostic.related.iter().map(|related| (excerpt(related.span), &related.message)).collect();
        let greatest = notes.iter().map(|(note, _)| note.position.line).fold(main.position.line, u32::max);
        self.gutter = greatest.to_string().len();

        // Problems of a simulation have no rule, and so no code.
        let head = match diagnostic.code {
            "" => severity.word().to_owned(),
            code => format!("{}[{code}]", severity.word()),
        };
        self.paint(Part::Severity(severity), &head);
        self.paint(Part::Headline, &format!(": {}", visible(&diagnostic.message)));
        self.out.push('\n');
        match diagnostic.of_file {
            true => self.beginning(),
            false => self.excerpt(&main, Part::Severity(severity), '^', &diagnostic.label),
        }
        for (note, message) in &notes {
            self.bar("|");
            self.out.push('\n');
            self.paint(Part::Note, "note");
            self.paint(Part::Headline, &format!(": {}", visible(message)));
            self.out.push('\n');
            self.excerpt(note, Part::Gutter, '-', "");
        }
        if let Some(help) = &diagnostic.help {
            self.bar("|");
            self.out.push('\n');
            self.bar("= ");
            self.paint(Part::Help, "help");
            self.out.push_str(": ");
            self.out.push_str(&visible(help));
            self.out.push('\n');
        }
        self.out.push('\n');
    }

    /// The place, the source line, and the line beneath it that marks the place, with `label`.
    fn excerpt(&mut self, excerpt: &Excerpt, part: Part, mark: char, label: &str) {
        let position = excerpt.position;
        self.pad(self.gutter);
        self.paint(Part::Gutter, "--> ");
        self.out.push_str(&format!("{}:{}:{}\n", self.file, position.line, position.column));
        self.bar("|");
        self.out.push('\n');

        let number = position.line.to_string();
        let missing = self.gutter.saturating_sub(number.len());
        self.paint(Part::Gutter, &format!("{number}{:missing$} |", ""));
        let line = excerpt.line.trim_end();
        if !line.is_empty() {
            self.out.push(' ');
            self.out.push_str(line);
        }
        self.out.push('\n');

        self.bar("| ");
        self.pad(excerpt.column);
        let mut marks: String = std::iter::repeat_n(mark, excerpt.width).collect();
        if excerpt.continues {
            marks.push_str("...");
        }
        if !label.is_empty() {
            marks.push(' ');
            marks.push_str(&visible(label));
        }
        self.paint(part, &marks);
        self.out.push('\n');
    }

    /// The file and its first lines, for a finding without a place.
    fn beginning(&mut self) {
        let count = self.lines.position(self.text, self.text.trim_end().len()).line.min(BEGINNING);
        self.gutter = count.to_string().len();
        self.pad(self.gutter);
        self.paint(Part::Gutter, "--> ");
        self.out.push_str(&format!("{}\n", self.file));
        self.bar("|\n");
        for number in 1..=count {
            let start = self.lines.start(number).unwrap_or(0);
            let line = Excerpt::new(self.text, self.lines, Span::empty(start)).line;
            self.paint(Part::Gutter, &format!("{number:>width$} |", width = self.gutter));
            self.out.push_str(format!(" {}", line.trim_end()).trim_end());
            self.out.push('\n');
        }
    }

    /// A mark in the column of bars, without a line number.
    fn bar(&mut self, mark: &str) {
        self.pad(self.gutter + 1);
        self.paint(Part::Gutter, mark);
    }

    fn pad(&mut self, columns: usize) {
        self.out.extend(std::iter::repeat_n(' ', columns));
    }

    fn paint(&mut self, part: Part, text: &str) {
        match self.style {
            TerminalStyle::Plain => self.out.push_str(text),
            TerminalStyle::Ansi => {
                self.out.push_str(&format!("\u{1b}[{}m{text}\u{1b}[0m", part.color()));
            }
        }
    }
}

#[cfg(test)]
mod tests;
