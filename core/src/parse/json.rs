//! JSON to a tree.

use jsonc_parser::ast::{Object, Value};
use jsonc_parser::common::{Range, Ranged};
use jsonc_parser::errors::{ParseError, ParseErrorKind};
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};

use super::exact::Numbers;
use super::keys::Keys;
use super::limits::Limits;
use super::node::{Data, Entry, Key, Node};
use super::{Parsed, cut_json};
use crate::diagnostic::{Applicability, Diagnostic, Severity, codes};
use crate::text::Span;

/// RFC 8259 and nothing beyond it.
const STRICT: ParseOptions = ParseOptions {
    allow_comments: false,
    allow_loose_object_property_names: false,
    allow_trailing_commas: false,
    allow_missing_commas: false,
    allow_single_quoted_strings: false,
    allow_hexadecimal_numbers: false,
    allow_unary_plus_numbers: false,
    allow_bare_decimal_point_numbers: false,
    allow_non_finite_numbers: false,
    allow_extended_string_escapes: false,
};

/// JSON as people write it who have JavaScript or Python in mind.
const LENIENT: ParseOptions = ParseOptions {
    allow_loose_object_property_names: true,
    allow_trailing_commas: true,
    allow_single_quoted_strings: true,
    ..STRICT
};

/// Reads JSON; a byte order mark is skipped. Of broken JSON, the part before the fault is read.
pub(super) fn parse(text: &str, limits: &Limits, numbers: Numbers) -> Parsed {
    read(text, limits, numbers, &STRICT)
}

/// Reads JSON with trailing commas, keys without quotes, and single quotes.
pub(super) fn parse_leniently(text: &str, limits: &Limits, numbers: Numbers) -> Parsed {
    read(text, limits, numbers, &LENIENT)
}

fn read(text: &str, limits: &Limits, numbers: Numbers, options: &ParseOptions) -> Parsed {
    let body = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut reader =
        Reader { base: text.len() - body.len(), limits, numbers, diagnostics: Vec::new(), too_deep: false };
    match parse_to_ast(body, &CollectOptions::default(), options) {
        Ok(result) => {
            let root = result.value.map(|value| reader.node(&value, 0));
            Parsed { root, well_formed: !reader.too_deep, diagnostics: reader.diagnostics }
        }
        Err(error) => {
            let found = reader.error(&error, body);
            let root = (found.code == codes::SYNTAX).then(|| reader.before(&error, body)).flatten();
            reader.diagnostics.push(found);
            Parsed { root, well_formed: false, diagnostics: reader.diagnostics }
        }
    }
}

struct Reader<'l> {
    base: usize,
    limits: &'l Limits,
    numbers: Numbers,
    diagnostics: Vec<Diagnostic>,
    too_deep: bool,
}

impl Reader<'_> {
    fn span(&self, range: Range) -> Span {
        Span::new(self.base + range.start, self.base + range.end)
    }

    /// What precedes the fault.
    fn before(&mut self, error: &ParseError, body: &str) -> Option<Node> {
        let is_open =
            matches!(error.kind(), ParseErrorKind::UnterminatedArray | ParseErrorKind::UnterminatedObject);
        let fault = if is_open { body.len() } else { error.range().start };
        cut_json::before(body, fault).find_map(|text| {
            let result = parse_to_ast(&text, &CollectOptions::default(), &LENIENT).ok()?;
            Some(self.node(&result.value?, 0))
        })
    }

    fn error(&self, error: &ParseError, text: &str) -> Diagnostic {
        let span = self.span(error.range());
        if matches!(error.kind(), ParseErrorKind::NestingDepthExceeded) {
            let Some(at) = first_too_deep(text, self.limits.max_depth()) else {
                let message = "the JSON is nested too deeply";
                return Diagnostic::new(codes::TOO_DEEP, Severity::Error, span, message)
                    .help("nest it less, or write it as YAML");
            };
            let at = self.base + at;
            return self.limits.too_deep(Span::new(at, at + 1));
        }
        if matches!(error.kind(), ParseErrorKind::CommentsNotAllowed) {
            return Diagnostic::new(codes::SYNTAX, Severity::Error, span, "JSON has no comments")
                .help("remove the comment")
                .fix(Applicability::Safe, "remove the comment", span, "");
        }
        let kind = error.kind().to_string();
        let mut chars = kind.chars();
        let message: String =
            chars.next().map_or_else(String::new, |first| first.to_lowercase().chain(chars).collect());
        let found = Diagnostic::new(codes::SYNTAX, Severity::Error, span, message.trim_end_matches('.'));
        match remedy(error.kind()) {
            Some(help) => found.help(help),
            None => found,
        }
    }

    fn node(&mut self, value: &Value<'_>, depth: usize) -> Node {
        let (range, data) = match value {
            Value::NullKeyword(literal) => (literal.range, Data::Null),
            Value::BooleanLit(literal) => (literal.range, Data::Bool(literal.value)),
            Value::StringLit(literal) => (literal.range, Data::Str(literal.value.as_ref().into())),
            Value::NumberLit(literal) => {
                (literal.range, self.number(literal.value, self.span(literal.range)))
            }
            Value::Array(array) => {
                let data = if self.fits(depth, array.range) {
                    Data::Seq(array.elements.iter().map(|item| self.node(item, depth + 1)).collect())
                } else {
                    Data::Null
                };
                (array.range, data)
            }
            Value::Object(object) => {
                let data = if self.fits(depth, object.range) { self.map(object, depth) } else { Data::Null };
                (object.range, data)
            }
        };
        Node { span: self.span(range), data }
    }

    fn fits(&mut self, depth: usize, range: Range) -> bool {
        let fits = depth < self.limits.max_depth();
        if !fits && !self.too_deep {
            self.too_deep = true;
            let start = self.base + range.start;
            self.diagnostics.push(self.limits.too_deep(Span::new(start, start + 1)));
        }
        fits
    }

    fn map(&mut self, object: &Object<'_>, depth: usize) -> Data {
        let mut keys = Keys::default();
        let mut entries = Vec::with_capacity(object.properties.len());
        for property in &object.properties {
            let name = property.name.as_str();
            let span = self.span(property.name.range());
            let value = self.node(&property.value, depth + 1);
            match keys.place(&entries, name) {
                Some(first) => {
                    let message = format!("duplicate key `{name}`");
                    self.diagnostics.push(
                        Diagnostic::new(codes::DUPLICATE_KEY, Severity::Error, span, message)
                            .related(first, "first here; this value is used")
                            .help("remove one: parsers disagree on which one to use"),
                    );
                }
                None => entries.push(Entry { key: Key { text: name.into(), span }, value }),
            }
        }
        Data::Map(entries.into())
    }

    fn number(&mut self, text: &str, span: Span) -> Data {
        let (data, loss) = self.numbers.read(text);
        if let Some(loss) = loss {
            let message = format!("`{text}` {loss}");
            self.diagnostics.push(Diagnostic::new(codes::LOSSY_SCALAR, Severity::Warning, span, message));
        }
        data
    }
}

fn remedy(kind: &ParseErrorKind) -> Option<&'static str> {
    Some(match kind {
        ParseErrorKind::ExpectedComma => "add a comma between the items",
        ParseErrorKind::UnterminatedArray => "add `]`",
        ParseErrorKind::UnterminatedObject => "add `}`",
        ParseErrorKind::UnexpectedWord => "put the text in double quotes",
        _ => return None,
    })
}

/// The first bracket that opens more levels than allowed.
///
/// The parser has a limit of its own, which is 512 with maps counted twice, and reports where that one
/// is passed.
fn first_too_deep(text: &str, limit: usize) -> Option<usize> {
    let (mut depth, mut in_text, mut escaped) = (0_usize, false, false);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_text => escaped = true,
            b'"' => in_text = !in_text,
            b'[' | b'{' if !in_text => {
                depth += 1;
                if depth > limit {
                    return Some(at);
                }
            }
            b']' | b'}' if !in_text => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    None
}
