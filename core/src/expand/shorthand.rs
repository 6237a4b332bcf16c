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
use crate::model::{ROLES, Role};

/// What a compact string says. Ranges are bytes of the string.
#[derive(Debug, PartialEq)]
pub(super) enum Line<'s> {
    /// A message of text.
    Say { role: Role, flags: Flags, text: &'s str },
    /// An assistant message that only calls.
    Calls { flags: Flags, calls: Vec<Call> },
    /// A tool's answer.
    Result {
        name: &'s str,
        name_at: (usize, usize),
        id: Option<(&'s str, usize, usize)>,
        is_error: bool,
        text: &'s str,
        text_at: usize,
    },
}

/// The words in parentheses after a role.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Flags {
    pub hidden: bool,
    pub agent: Option<String>,
}

/// One call with the ranges of the whole and of the name.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Call {
    pub name: String,
    pub name_at: (usize, usize),
    pub arguments: Map<String, Value>,
    pub at: (usize, usize),
}

/// Why a string cannot be read, with the bytes at fault.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Fault {
    pub code: &'static str,
    pub at: (usize, usize),
    pub message: String,
    pub help: Option<String>,
    /// A replacement of the bytes at fault that is probably what was meant.
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
}

impl<'s> Cursor<'s> {
    pub(super) fn new(text: &'s str) -> Self {
        Self { text, at: 0 }
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
        self.fault(start, start + 1, "the bracket is not closed").help(format!("close it with `{close}`"))
    }

    /// Takes a comma, or leaves a `close` standing.
    pub(super) fn comma_or(&mut self, close: char, opened: usize) -> Result<(), Fault> {
        let quote = self.text.get(..self.at).and_then(|read| read.chars().next_back());
        if let Some(quote) = quote.filter(|quote| matches!(quote, '\'' | '"') && self.peek() == Some(*quote))
        {
            let at = (self.at.saturating_sub(1), self.at + 1);
            let fault = self.fault(at.0, at.1, "two quotes together do not stand for one here");
            return Err(fault.help(format!("write `\\{quote}` for a quote inside the text")));
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
                // A letter right behind a quote goes on with a text that an apostrophe has ended.
                Err(match quote.filter(|quote| matches!(quote, '\'' | '"')) {
                    Some(quote) if next.is_alphanumeric() && !is_apart => {
                        fault.help(format!("write `\\{quote}` for a quote inside the text"))
                    }
                    _ => fault,
                })
            }
        }
    }
}

/// Whether a name may hold the character.
pub(crate) fn is_name(c: char) -> bool {
    !c.is_whitespace() && !matches!(c, '(' | ')' | ':' | '#' | '!' | ',')
}

/// Whether the name of an argument may hold the character.
pub(crate) fn is_key(c: char) -> bool {
    is_name(c) && !matches!(c, '=' | '\'' | '"' | '[' | '{' | ']' | '}')
}

/// Reads one compact string.
pub(super) fn line(text: &str) -> Result<Line<'_>, Fault> {
    let mut cursor = Cursor::new(text);
    let after_tool = text.strip_prefix("tool:").and_then(|rest| rest.chars().next());
    if after_tool.is_some_and(|next| !next.is_whitespace()) {
        return result(text);
    }
    let word = cursor.take_while(is_name);
    let word_end = cursor.at;
    let flags = if cursor.peek() == Some('(') && ROLES.contains(&word) {
        flags(&mut cursor)?
    } else {
        Flags::default()
    };
    if !ROLES.contains(&word) {
        return Err(not_a_role(&cursor, text, word, word_end));
    }
    if !cursor.eat(':') {
        let what = format!("`:` after `{word}`");
        return Err(cursor.expected_here(&what).help(format!("write `{word}: the text`")));
    }
    let role = Role::new(word);
    if role == Role::Assistant && is_call(cursor.rest()) {
        cursor.at += "call".len();
        let calls = calls(&mut cursor)?;
        return Ok(Line::Calls { flags, calls });
    }
    let rest = cursor.rest();
    Ok(Line::Say { role, flags, text: rest.strip_prefix(' ').unwrap_or(rest) })
}

/// Whether what follows `assistant:` is the call form: `call` and then a blank or the end.
fn is_call(rest: &str) -> bool {
    rest.strip_prefix("call").is_some_and(|rest| rest.is_empty() || rest.starts_with(char::is_whitespace))
}

fn not_a_role(cursor: &Cursor<'_>, text: &str, word: &str, word_end: usize) -> Fault {
    let has_colon = text.get(word_end..).is_some_and(|rest| rest.starts_with(':') || rest.starts_with('('));
    let is_a_word = word.chars().count() <= 40;
    let trimmed = text.trim_start();
    if trimmed.len() < text.len() && ROLES.iter().any(|role| trimmed.starts_with(role)) {
        let blanks = text.len() - trimmed.len();
        return cursor.fault(0, blanks, "a blank stands before the role").help("remove it");
    }
    if word.is_empty() || !has_colon || !is_a_word {
        let end = text.chars().next().map_or(0, char::len_utf8);
        return cursor
            .fault(0, end, "the item does not begin with a role")
            .help("begin with `system:`, `developer:`, `user:`, `assistant:` or `tool:NAME:`");
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

fn flags(cursor: &mut Cursor<'_>) -> Result<Flags, Fault> {
    let opened = cursor.at;
    cursor.bump();
    let mut flags = Flags::default();
    // Past a colon stands the text, so that a bracket there closes nothing.
    let head = cursor.rest().split(':').next().unwrap_or("");
    if !head.contains(')') && !cursor.rest().contains("):") {
        return Err(cursor.unclosed(opened, ')'));
    }
    loop {
        cursor.skip_blanks();
        let start = cursor.at;
        let word = cursor.take_while(|c| !matches!(c, ',' | ')')).trim_end();
        match word.split_once('=').map(|(key, value)| (key.trim(), value.trim())) {
            None if word == "hidden" => flags.hidden = true,
            Some(("agent", name)) if !name.is_empty() => flags.agent = Some(name.to_owned()),
            Some(("agent", _)) => {
                return Err(cursor
                    .fault(start, start + word.len(), "`agent=` names no agent")
                    .help("write `agent=NAME`"));
            }
            _ if word.is_empty() => {
                let fault = cursor.expected_here("a flag");
                return Err(fault.help("the flags are `hidden` and `agent=NAME`"));
            }
            _ => {
                let end = start + word.len();
                let mut fault = cursor.fault(start, end, format!("unknown flag `{word}`"));
                fault.meant = closest(word, ["hidden"]).map(str::to_owned);
                return Err(match &fault.meant {
                    Some(meant) => {
                        let help = format!("did you mean `{meant}`?");
                        fault.help(help)
                    }
                    None => fault.help("the flags are `hidden` and `agent=NAME`"),
                });
            }
        }
        cursor.comma_or(')', opened)?;
        if cursor.eat(')') {
            return Ok(flags);
        }
    }
}

fn result(text: &str) -> Result<Line<'_>, Fault> {
    let mut cursor = Cursor::new(text);
    cursor.at = "tool:".len();
    let start = cursor.at;
    let name = cursor.take_while(is_name);
    let name_at = (start, cursor.at);
    let mut id = None;
    if cursor.eat('#') {
        let start = cursor.at;
        let word = cursor.take_while(is_name);
        id = Some((word, start, cursor.at));
    }
    let is_error = cursor.eat('!');
    let form =
        "write `tool:NAME: RESULT`, with `#CALL_ID` after the name to choose a call and `!` for an error";
    if name.is_empty() {
        cursor.at = start;
    }
    if name.is_empty() || id.is_some_and(|(word, ..)| word.is_empty()) {
        return Err(cursor.expected_here("a name").help(form));
    }
    if !cursor.eat(':') {
        return Err(cursor.expected_here("`:` after the tool's name").help(form));
    }
    let rest = cursor.rest();
    let text = rest.strip_prefix(' ').unwrap_or(rest);
    let text_at = cursor.at + (rest.len() - text.len());
    Ok(Line::Result { name, name_at, id, is_error, text, text_at })
}

/// Reads calls up to the end of the string.
pub(super) fn calls(cursor: &mut Cursor<'_>) -> Result<Vec<Call>, Fault> {
    let mut calls = Vec::new();
    loop {
        cursor.skip_blanks();
        calls.push(call(cursor)?);
        cursor.skip_blanks();
        if cursor.peek().is_none() {
            return Ok(calls);
        }
        if !cursor.eat(',') {
            let fault = cursor.expected_here("`,` and another call, or the end");
            return Err(fault.help(
                "to say a text too, write `{assistant: \"the text\", call: \"weather(location='NYC')\"}`",
            ));
        }
    }
}

fn call(cursor: &mut Cursor<'_>) -> Result<Call, Fault> {
    let start = cursor.at;
    let name = cursor.take_while(is_name).to_owned();
    let name_at = (start, cursor.at);
    let form = "a call is written `assistant:call weather(location='NYC')`; put a space after the colon to say the text";
    if name.is_empty() {
        return Err(cursor.expected_here("the name of a tool").help(form));
    }
    let opened = cursor.at;
    if !cursor.eat('(') {
        return Err(cursor.expected_here(&format!("`(` after `{name}`")).help(form));
    }
    let mut arguments = Map::new();
    loop {
        cursor.skip_blanks();
        if cursor.eat(')') {
            return Ok(Call { name, name_at, arguments, at: (start, cursor.at) });
        }
        if cursor.peek().is_none() {
            return Err(cursor.unclosed(opened, ')'));
        }
        let key_start = cursor.at;
        let key = cursor.take_while(is_key);
        let key_end = cursor.at;
        cursor.skip_blanks();
        if !key.is_empty() && cursor.peek() == Some(':') {
            return Err(cursor
                .expected_here(&format!("`=` after `{key}`"))
                .help("write arguments as `location='NYC'`"));
        }
        if key.is_empty() || !cursor.eat('=') {
            cursor.at = key_start;
            return Err(cursor
                .fault(key_start, key_end.max(key_start + 1), "an argument has no name")
                .help("name every argument: `location='NYC'`"));
        }
        let value = literal(cursor, 0)?;
        if arguments.insert(key.to_owned(), value).is_some() {
            return Err(cursor
                .fault(key_start, key_end, format!("the argument `{key}` is given twice"))
                .help("keep one of the two"));
        }
        cursor.comma_or(')', opened)?;
    }
}
