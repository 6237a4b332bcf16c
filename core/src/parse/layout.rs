//! How a YAML text is laid out: the style and place of every piece, comments among them.
//!
//! The tree of [`super::parse`] has the meaning of a text; stages that change the text also need the places
//! of its comments, anchors and brackets.

use granit_parser::{Event, Parser, ScalarStyle, StructureStyle};

use super::limits::Limits;
use crate::text::Span;

/// One piece of a YAML text and its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Its place. For the beginning of a list or map, its first character; for the end of one in
    /// brackets, the bracket; for any other end, an empty span.
    pub span: Span,
    /// Its kind.
    pub kind: PieceKind,
}

/// The kind of a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PieceKind {
    /// A comment, from `#` to the end of the line without the line end.
    Comment,
    /// A scalar, a key or a value. The span of a block scalar goes from `|` or `>` to its last line.
    Scalar(Style),
    /// `*name`, in the place of a value.
    Alias,
    /// `&name`. It follows the beginning of its node, and comes first in the text of the node.
    Anchor,
    /// A list begins.
    ListStart {
        /// Whether it is in brackets.
        flow: bool,
    },
    /// A list ends.
    ListEnd,
    /// A map begins; its keys and values follow in turn.
    MapStart {
        /// Whether it is in brackets.
        flow: bool,
    },
    /// A map ends.
    MapEnd,
}

/// How a scalar is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Without quotes.
    Plain,
    /// In single quotes.
    Single,
    /// In double quotes.
    Double,
    /// As a block that keeps its lines, `|`.
    Literal,
    /// As a block with joined lines, `>`.
    Folded,
}

/// The pieces of the first document of a YAML text in the order of the text; `None` when it is not
/// well-formed. JSON is YAML here too.
///
/// ```
/// use transcript_core::parse::{Limits, PieceKind, layout};
/// let text = "name: run # the name\n";
/// let pieces = layout(text, &Limits::default()).unwrap();
/// let comment = pieces.iter().find(|piece| piece.kind == PieceKind::Comment).unwrap();
/// assert_eq!(comment.span.slice(text), "# the name");
/// ```
#[must_use]
pub fn layout(text: &str, limits: &Limits) -> Option<Vec<Piece>> {
    let options = granit_parser::options! {
        emit_anchor_events: true,
        max_buffered_comment_events: text.len(),
        flow_nesting_limit: limits.max_depth(),
        block_nesting_limit: limits.max_depth(),
        simple_key_max_lookahead: 1024,
    };
    let mut pieces: Vec<Piece> = Vec::new();
    let mut documents = 0;
    // The end of the last piece that is no comment.
    let mut end = 0;
    for event in Parser::new_from_str_with_options(text, options) {
        let (event, span) = event.ok()?;
        let range = span.byte_range().unwrap_or(0..0);
        let mut span = Span::new(range.start, range.end);
        let kind = match event {
            Event::DocumentStart(..) if documents > 0 => break,
            Event::DocumentStart(..) => {
                documents += 1;
                continue;
            }
            Event::Comment(..) => PieceKind::Comment,
            Event::Scalar(_, style, ..) => {
                span = super::yaml::scalar_span(text, span, style);
                if matches!(style, ScalarStyle::Literal | ScalarStyle::Folded) {
                    span = with_header(text, end, span);
                }
                PieceKind::Scalar(Style::from_scanner(style))
            }
            Event::Alias(_) => PieceKind::Alias,
            Event::Anchor(..) => PieceKind::Anchor,
            Event::SequenceStart(style, ..) => PieceKind::ListStart { flow: style == StructureStyle::Flow },
            Event::MappingStart(style, ..) => PieceKind::MapStart { flow: style == StructureStyle::Flow },
            Event::SequenceEnd => PieceKind::ListEnd,
            Event::MappingEnd => PieceKind::MapEnd,
            _ => continue,
        };
        if kind != PieceKind::Comment {
            end = end.max(span.end as usize);
        }
        pieces.push(Piece { span, kind });
    }
    Some(pieces)
}

/// The span of a block scalar from its `|` or `>` on; the parser only returns the lines below. The
/// piece before it ends at `end`.
fn with_header(text: &str, end: usize, lines: Span) -> Span {
    let before = text.get(end..lines.start as usize).unwrap_or("");
    let header = before.find(['|', '>']).map_or(lines.start as usize, |at| end + at);
    Span::new(header, lines.end as usize)
}

impl Style {
    fn from_scanner(style: ScalarStyle) -> Self {
        match style {
            ScalarStyle::SingleQuoted => Style::Single,
            ScalarStyle::DoubleQuoted => Style::Double,
            ScalarStyle::Literal => Style::Literal,
            ScalarStyle::Folded => Style::Folded,
            _ => Style::Plain,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(text: &str) -> Vec<(PieceKind, &str)> {
        let pieces = layout(text, &Limits::default()).unwrap();
        pieces.into_iter().map(|piece| (piece.kind, piece.span.slice(text))).collect()
    }

    #[test]
    fn every_piece_stands_where_it_is_written() {
        let text = "# head\na: &x \"t\" # right\nb: [*x, 'u']\nc: |\n  line\n  # text\n\n# last\n";
        let expected = [
            (PieceKind::Comment, "# head"),
            (PieceKind::MapStart { flow: false }, ""),
            (PieceKind::Scalar(Style::Plain), "a"),
            (PieceKind::Scalar(Style::Double), "\"t\""),
            (PieceKind::Anchor, "&x"),
            (PieceKind::Comment, "# right"),
            (PieceKind::Scalar(Style::Plain), "b"),
            (PieceKind::ListStart { flow: true }, "["),
            (PieceKind::Alias, "*x"),
            (PieceKind::Scalar(Style::Single), "'u'"),
            (PieceKind::ListEnd, "]"),
            (PieceKind::Scalar(Style::Plain), "c"),
            (PieceKind::Scalar(Style::Literal), "|\n  line\n  # text"),
            (PieceKind::Comment, "# last"),
            (PieceKind::MapEnd, ""),
        ];
        assert_eq!(pieces(text), expected);
    }

    #[test]
    fn a_text_that_is_not_well_formed_has_no_layout() {
        assert_eq!(layout("a: [1", &Limits::default()), None);
    }

    #[test]
    fn only_the_first_document_counts() {
        assert_eq!(pieces("a\n---\nb # c\n"), [(PieceKind::Scalar(Style::Plain), "a")]);
    }
}
