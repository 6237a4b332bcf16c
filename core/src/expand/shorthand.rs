//! The grammar of compact strings, by recursive descent.
//!
//! ```text
//! string := role [flags] ":" text | "assistant" [flags] ":call" calls | "tool:" name ["#" id] ["!"] ":" value
//! flags  := "(" word {"," word} ")"
//! calls  := name "(" [name "=" literal {"," ...}] ")" {"," ...}
//! ```

use serde_json::{Map, Value};

use super::literal::literal;
use crate::diagnostic::{closest, codes};
use crate::model::ROLES;

const FLAGS: &str = "the flags are `hidden` and `agent=NAME`";
const RESULT_FORM: &str = "write `tool:NAME: RESULT`; add `#CALL_ID` to choose a call, and `!` for an error";

/// A part of a line, and the byte where it begins.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Part<'s> {
    pub text: &'s str,
    pub at: usize,
}

impl Part<'_> {
    pub(crate) fn range(self) -> (usize, usize) {
        (self.at, self.at + self.text.len())
    }
}

/// The parts of a compact string, possibly incomplete. Unreadable parts are skipped.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct CompactLine<'s> {
    pub role: Part<'s>,
    /// The words in parentheses after the role.
    pub flags: Vec<Part<'s>>,
    /// Whether the parenthesis of the flags is not closed.
    pub flags_open: bool,
    /// The part of a tool's answer between `tool:` and the colon.
    pub tool: Option<ToolPart<'s>>,
    /// The colon before the content.
    pub colon: Option<usize>,
    /// The calls of an assistant message without text.
    pub calls: Option<Vec<CallPart<'s>>>,
    /// The text, the result, or all calls as written, without the blank before it.
    pub content: Part<'s>,
    /// The first fault.
    pub fault: Option<Fault>,
}

/// The tool of an answer: `NAME#ID!`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ToolPart<'s> {
    pub name: Part<'s>,
    pub id: Option<Part<'s>>,
    pub is_error: bool,
}

/// One call.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct CallPart<'s> {
    pub name: Part<'s>,
    /// Whether its arguments have a parenthesis.
    pub open: bool,
    /// The places of its arguments. An unclosed list ends with one that may be empty.
    pub parts: Vec<ArgumentPart<'s>>,
    pub arguments: Map<String, Value>,
    /// The end of the call when it is closed.
    pub end: Option<usize>,
}

/// The places of an argument.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ArgumentPart<'s> {
    pub name: Part<'s>,
    /// The value as written, when there is an `=`.
    pub value: Option<Part<'s>>,
}

/// Why a string cannot be read, with the bytes at fault.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Fault {
    pub code: &'static str,
    pub at: (usize, usize),
    pub message: String,
    pub help: Option<String>,
    /// The probable replacement of the bytes at fault.
    pub meant: Option<String>,
}

impl Fault {
    pub(super) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

/// A place in the string being read.
pub(super) struct Cursor<'s> {
    text: &'s str,
    pub at: usize,
    /// The first fault.
    found: Option<Fault>,
}

impl<'s> Cursor<'s> {
    fn new(text: &'s str) -> Self {
        Self { text, at: 0, found: None }
    }

    fn note(&mut self, fault: Fault) {
        self.found.get_or_insert(fault);
    }

    fn part(&mut self, wanted: impl Fn(char) -> bool) -> Part<'s> {
        let at = self.at;
        Part { text: self.take_while(wanted), at }
    }

    /// Everything from the cursor on, without one blank.
    fn content(&self) -> Part<'s> {
        let text = self.rest().strip_prefix(' ').unwrap_or(self.rest());
        Part { text, at: self.text.len() - text.len() }
    }

    /// Skips to the end of an unreadable argument: its comma, the closing parenthesis or the end.
    fn skip_argument(&mut self) {
        let (mut depth, mut quote) = (0_usize, None);
        while let Some(c) = self.peek() {
            match (quote, c) {
                (Some(open), _) if open == c => quote = None,
                (Some(_), _) => {}
                (None, '\'' | '"') => quote = Some(c),
                (None, '(' | '[' | '{') => depth += 1,
                (None, ',' | ')') if depth == 0 => return,
                (None, ')' | ']' | '}') => depth = depth.saturating_sub(1),
                (None, _) => {}
            }
            self.bump();
        }
    }

    pub(super) fn rest(&self) -> &'s str {
        self.text.get(self.at..).unwrap_or("")
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    pub(super) fn bump(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.at += c.len_utf8();
        Some(c)
    }

    pub(super) fn eat(&mut self, c: char) -> bool {
        let found = self.peek() == Some(c);
        if found {
            self.bump();
        }
        found
    }

    pub(super) fn take_while(&mut self, wanted: impl Fn(char) -> bool) -> &'s str {
        let rest = self.rest();
        let end = rest.find(|c| !wanted(c)).unwrap_or(rest.len());
        self.at += end;
        rest.get(..end).unwrap_or("")
    }

    pub(super) fn skip_blanks(&mut self) {
        self.take_while(char::is_whitespace);
    }

    pub(super) fn fault(&self, start: usize, end: usize, message: impl Into<String>) -> Fault {
        Fault {
            code: codes::BAD_SHORTHAND,
            at: (start, end),
            message: message.into(),
            help: None,
            meant: None,
        }
    }

    /// The fault of a missing `what` at the cursor.
    pub(super) fn expected_here(&self, what: &str) -> Fault {
        let end = self.at + self.peek().map_or(0, char::len_utf8);
        let found = self.peek().map_or("the end".to_owned(), |c| format!("`{c}`"));
        self.fault(self.at, end, format!("expected {what}, found {found}"))
    }

    /// The fault of a bracket that opens at `start` and is not closed.
    pub(super) fn unclosed(&self, start: usize, close: char) -> Fault {
        self.fault(start, start + 1, "the bracket is not closed").help(format!("add `{close}`"))
    }

    /// Takes a comma, or leaves a `close` unread.
    pub(super) fn comma_or(&mut self, close: char, opened: usize) -> Result<(), Fault> {
        let quote = self.text.get(..self.at).and_then(|read| read.chars().next_back());
        if let Some(quote) = quote.filter(|quote| matches!(quote, '\'' | '"') && self.peek() == Some(*quote))
        {
            let at = (self.at.saturating_sub(1), self.at + 1);
            let fault = self.fault(at.0, at.1, "two quotes are not an escape here");
            return Err(fault.help(format!("write `\\{quote}` for a quote in the text")));
        }
        let before = self.at;
        self.skip_blanks();
        let is_apart = self.at > before;
        match self.peek() {
            Some(',') => {
                self.bump();
                Ok(())
            }
            Some(c) if c == close => Ok(()),
            None => Err(self.unclosed(opened, close)),
            Some(next) => {
                let fault = self.expected_here(&format!("`,` or `{close}`"));
                // A letter right after a quote continues a text that an apostrophe has ended.
                Err(match quote.filter(|quote| matches!(quote, '\'' | '"')) {
                    Some(quote) if next.is_alphanumeric() && !is_apart => {
                        fault.help(format!("write `\\{quote}` for a quote in the text"))
                    }
                    _ => fault,
                })
            }
        }
    }
}

/// Whether a name may contain the character.
pub(crate) fn is_name(c: char) -> bool {
    !c.is_whitespace() && !matches!(c, '(' | ')' | ':' | '#' | '!' | ',')
}

/// Whether the name of an argument may contain the character.
pub(crate) fn is_key(c: char) -> bool {
    is_name(c) && !matches!(c, '=' | '\'' | '"' | '[' | '{' | ']' | '}')
}

impl<'s> CompactLine<'s> {
    /// The parts of one compact string.
    pub(crate) fn new(text: &'s str) -> Self {
        let mut cursor = Cursor::new(text);
        let mut line = Self::default();
        line.read(&mut cursor);
        line.fault = cursor.found;
        line
    }

    fn read(&mut self, cursor: &mut Cursor<'s>) {
        self.role = cursor.part(is_name);
        let word = self.role.text;
        if !ROLES.contains(&word) {
            let fault = not_a_role(cursor, word);
            cursor.note(fault);
            cursor.at = 0;
            self.role = cursor.part(|c| !matches!(c, ':' | '('));
        }
        let is_result = word == "tool"
            && cursor
                .rest()
                .strip_prefix(':')
                .is_some_and(|rest| rest.starts_with(|c: char| !c.is_whitespace()));
        let (what, help) = if is_result {
            cursor.bump();
            self.tool = Some(tool(cursor));
            ("`:` after the tool's name".to_owned(), RESULT_FORM.to_owned())
        } else {
            if cursor.peek() == Some('(') {
                self.read_flags(cursor);
            }
            (format!("`:` after `{word}`"), format!("write `{word}: the text`"))
        };
        self.colon = Some(cursor.at).filter(|_| cursor.eat(':'));
        if self.colon.is_none() {
            let fault = cursor.expected_here(&what).help(help);
            return cursor.note(fault);
        }
        let is_call = word == "assistant" && is_call(cursor.rest());
        cursor.at += if is_call { "call".len() } else { 0 };
        self.content = cursor.content();
        self.calls = is_call.then(|| read_calls(cursor));
    }

    fn read_flags(&mut self, cursor: &mut Cursor<'s>) {
        let opened = cursor.at;
        cursor.bump();
        // After a colon comes the text, so that a bracket there closes nothing.
        let head = cursor.rest().split(':').next().unwrap_or("");
        if !head.contains(')') && !cursor.rest().contains("):") {
            let fault = cursor.unclosed(opened, ')');
            cursor.note(fault);
        }
        loop {
            cursor.skip_blanks();
            let mut flag = cursor.part(|c| !matches!(c, ',' | ')'));
            flag.text = flag.text.trim_end();
            self.flags.push(flag);
            if let Some(fault) = flag_fault(cursor, flag) {
                cursor.note(fault);
            }
            if let Err(fault) = cursor.comma_or(')', opened) {
                self.flags_open = true;
                return cursor.note(fault);
            }
            if cursor.eat(')') {
                return;
            }
        }
    }

    pub(crate) fn is_hidden(&self) -> bool {
        self.flags.iter().any(|flag| flag.text == "hidden")
    }

    /// The agent that the flags name.
    pub(crate) fn agent(&self) -> Option<&'s str> {
        let key_and_name = |flag: &Part<'s>| flag.text.split_once('=');
        let named = |(key, name): (&str, &'s str)| (key.trim() == "agent").then(|| name.trim());
        self.flags.iter().rev().filter_map(key_and_name).find_map(named)
    }
}

/// Whether what follows `assistant:` is the call form: `call` and then a blank or the end.
fn is_call(rest: &str) -> bool {
    rest.strip_prefix("call").is_some_and(|rest| rest.is_empty() || rest.starts_with(char::is_whitespace))
}

fn not_a_role(cursor: &Cursor<'_>, word: &str) -> Fault {
    let (text, word_end) = (cursor.text, word.len());
    let has_colon = text.get(word_end..).is_some_and(|rest| rest.starts_with(':') || rest.starts_with('('));
    let is_a_word = word.chars().count() <= 40;
    let trimmed = text.trim_start();
    if trimmed.len() < text.len() && ROLES.iter().any(|role| trimmed.starts_with(role)) {
        let blanks = text.len() - trimmed.len();
        return cursor.fault(0, blanks, "unexpected space before the role").help("remove it");
    }
    if word.is_empty() || !has_colon || !is_a_word {
        let end = text.chars().next().map_or(0, char::len_utf8);
        return cursor
            .fault(0, end, "the item does not start with a role")
            .help("start with `system:`, `developer:`, `user:`, `assistant:` or `tool:NAME:`");
    }
    let mut fault = cursor.fault(0, word_end, format!("unknown role `{word}`"));
    fault.code = codes::UNKNOWN_ROLE;
    fault.meant = closest(word, ROLES).map(str::to_owned);
    let help = match &fault.meant {
        Some(meant) => format!("did you mean `{meant}`?"),
        None => format!("the roles are {}", ROLES.map(|role| format!("`{role}`")).join(", ")),
    };
    fault.help(help)
}

/// The fault of a flag. The cursor is behind it.
fn flag_fault(cursor: &Cursor<'_>, flag: Part<'_>) -> Option<Fault> {
    let ((start, end), word) = (flag.range(), flag.text);
    let fault = |message: String| cursor.fault(start, end, message);
    match word.split_once('=').map(|(key, value)| (key.trim(), value.trim())) {
        None if word == "hidden" => None,
        Some(("agent", name)) if !name.is_empty() => None,
        Some(("agent", _)) => Some(fault("`agent=` has no name".to_owned()).help("write `agent=NAME`")),
        _ if word.is_empty() => Some(cursor.expected_here("a flag").help(FLAGS)),
        _ => {
            let mut fault = fault(format!("unknown flag `{word}`"));
            fault.meant = closest(word, ["hidden"]).map(str::to_owned);
            let help = fault.meant.as_ref().map(|meant| format!("did you mean `{meant}`?"));
            Some(fault.help(help.unwrap_or(FLAGS.to_owned())))
        }
    }
}

/// Reads `NAME#ID!`.
fn tool<'s>(cursor: &mut Cursor<'s>) -> ToolPart<'s> {
    let name = cursor.part(is_name);
    let id = cursor.eat('#').then(|| cursor.part(is_name));
    let is_error = cursor.eat('!');
    if name.text.is_empty() || id.is_some_and(|id| id.text.is_empty()) {
        let end = cursor.at;
        cursor.at = if name.text.is_empty() { name.at } else { end };
        let fault = cursor.expected_here("a name").help(RESULT_FORM);
        cursor.note(fault);
        cursor.at = end;
    }
    ToolPart { name, id, is_error }
}

/// The parts of a text of calls, and the first fault.
pub(crate) fn calls(text: &str) -> (Vec<CallPart<'_>>, Option<Fault>) {
    let mut cursor = Cursor::new(text);
    (read_calls(&mut cursor), cursor.found)
}

/// Reads calls up to the end of the string.
fn read_calls<'s>(cursor: &mut Cursor<'s>) -> Vec<CallPart<'s>> {
    let mut calls = Vec::new();
    loop {
        cursor.skip_blanks();
        calls.push(call(cursor));
        cursor.skip_blanks();
        if cursor.peek().is_none() {
            return calls;
        }
        if !cursor.eat(',') {
            let fault = cursor.expected_here("`,` and another call, or the end");
            cursor.note(
                fault.help(
                    "to add text, write `{assistant: \"the text\", call: \"weather(location='NYC')\"}`",
                ),
            );
            if !cursor.peek().is_some_and(is_name) {
                return calls;
            }
        }
    }
}

fn call<'s>(cursor: &mut Cursor<'s>) -> CallPart<'s> {
    let mut call = CallPart { name: cursor.part(is_name), ..CallPart::default() };
    let name = call.name.text;
    let opened = cursor.at;
    call.open = !name.is_empty() && cursor.eat('(');
    if !call.open {
        let what = if name.is_empty() { "a tool name" } else { &format!("`(` after `{name}`") };
        let form = "write a call as `assistant:call weather(location='NYC')`, or put a space after the colon for text";
        let fault = cursor.expected_here(what).help(form);
        cursor.note(fault);
        return call;
    }
    loop {
        cursor.skip_blanks();
        if cursor.eat(')') {
            call.end = Some(cursor.at);
            return call;
        }
        let start = cursor.at;
        if cursor.peek().is_none() {
            let fault = cursor.unclosed(opened, ')');
            cursor.note(fault);
            call.parts.push(ArgumentPart { name: Part { text: "", at: start }, value: None });
            return call;
        }
        let (mut part, value) = argument(cursor);
        let (name, (key_start, key_end)) = (part.name.text, part.name.range());
        let read = value.and_then(|value| match call.arguments.insert(name.to_owned(), value) {
            None => cursor.comma_or(')', opened),
            Some(_) => {
                let message = format!("duplicate argument `{name}`");
                Err(cursor.fault(key_start, key_end, message).help("keep one of them"))
            }
        });
        if let Err(fault) = read {
            cursor.note(fault);
            cursor.at = start;
            cursor.skip_argument();
            if let Some(value) = &mut part.value {
                value.text = cursor.text.get(value.at..cursor.at).unwrap_or("").trim_end();
            }
            if !cursor.eat(',') && cursor.peek().is_none() {
                call.parts.push(part);
                return call;
            }
        }
        call.parts.push(part);
    }
}

/// Reads `name=literal`.
fn argument<'s>(cursor: &mut Cursor<'s>) -> (ArgumentPart<'s>, Result<Value, Fault>) {
    let name = cursor.part(is_key);
    let (start, end) = name.range();
    let key = name.text;
    cursor.skip_blanks();
    if key.is_empty() || !cursor.eat('=') {
        let fault = if !key.is_empty() && cursor.peek() == Some(':') {
            cursor.expected_here(&format!("`=` after `{key}`")).help("write arguments as `location='NYC'`")
        } else {
            cursor
                .fault(start, end.max(start + 1), "an argument has no name")
                .help("name every argument: `location='NYC'`")
        };
        return (ArgumentPart { name, value: None }, Err(fault));
    }
    cursor.skip_blanks();
    let at = cursor.at;
    let value = literal(cursor, 0);
    let text = cursor.text.get(at..cursor.at).unwrap_or("");
    (ArgumentPart { name, value: Some(Part { text, at }) }, value)
}
