//! Parses an expression: operators by precedence, according to the JMESPath grammar.

use std::ops::Range;

use super::QueryError;
use super::ast::{Argument, Comparator, Kind, Node, Slice};
use super::functions::{FUNCTIONS, Function};
use super::lex::{Placed, Token, tokens};
use crate::text::Table;

/// The maximum length of an expression in bytes.
pub(super) const LONGEST: usize = 16 << 10;

/// The maximum nesting depth of an expression.
pub(super) const DEEPEST: usize = 100;

const STAR: u8 = 20;
const FILTER: u8 = 21;
const DOT: u8 = 40;
const NOT: u8 = 45;

/// Reads an expression. Calls of functions that do not exist are gathered in `unknown`, so that all of them can
/// be reported; the node is of no use then.
pub(super) fn read(text: &str, unknown: &mut Vec<Range<usize>>) -> Result<Node, QueryError> {
    if text.len() > LONGEST {
        let message = format!("the expression is longer than {LONGEST} bytes");
        return Err(QueryError { at: 0..text.len(), message, help: String::new(), meant: None });
    }
    let mut reader = Reader { text, tokens: tokens(text), next: 0, open: Vec::new(), depth: 0, unknown };
    if let Token::End = reader.peek().token {
        return Err(fault(0..text.len(), "the expression is empty", ""));
    }
    let node = reader.expression(0)?;
    match reader.peek().token {
        Token::End => Ok(node),
        _ => Err(reader.stray()),
    }
}

pub(super) fn fault(at: Range<usize>, message: impl Into<String>, help: impl Into<String>) -> QueryError {
    QueryError { at, message: message.into(), help: help.into(), meant: None }
}

struct Reader<'t> {
    text: &'t str,
    tokens: Vec<Placed>,
    next: usize,
    /// The brackets that are open.
    open: Vec<(&'static str, usize)>,
    depth: usize,
    unknown: &'t mut Vec<Range<usize>>,
}

static END: Placed = Placed { token: Token::End, at: 0..0 };

impl Reader<'_> {
    fn peek(&self) -> &Placed {
        self.tokens.get(self.next).or_else(|| self.tokens.last()).unwrap_or(&END)
    }

    fn sign(&self) -> &'static str {
        match self.peek().token {
            Token::Sign(sign) => sign,
            _ => "",
        }
    }

    fn second_sign(&self) -> &'static str {
        match self.tokens.get(self.next + 1) {
            Some(Placed { token: Token::Sign(sign), .. }) => sign,
            _ => "",
        }
    }

    fn take(&mut self) -> Range<usize> {
        let at = self.peek().at.clone();
        self.next += 1;
        at
    }

    /// Takes the next sign, which opens a bracket.
    fn opens(&mut self) {
        let sign = self.sign();
        let at = self.take().start;
        self.open.push((sign, at));
    }

    /// Takes the sign that closes the last bracket.
    fn closes(&mut self, sign: &str) -> Result<(), QueryError> {
        if self.sign() != sign {
            return Err(self.stray());
        }
        self.take();
        self.open.pop();
        Ok(())
    }

    fn node(&self, kind: Kind) -> Result<Node, QueryError> {
        let node = Node::new(kind);
        if node.depth > DEEPEST { Err(self.too_deep()) } else { Ok(node) }
    }

    fn too_deep(&self) -> QueryError {
        fault(
            self.peek().at.clone(),
            format!("the expression is nested more than {DEEPEST} levels deep"),
            "split it",
        )
    }

    fn expression(&mut self, binding: u8) -> Result<Node, QueryError> {
        if self.depth >= DEEPEST {
            return Err(self.too_deep());
        }
        self.depth += 1;
        let mut left = self.operand()?;
        loop {
            let sign = self.sign();
            if binding >= strength(sign) {
                break;
            }
            left = self.operator(sign, left)?;
        }
        self.depth -= 1;
        Ok(left)
    }

    /// The first operand of an expression.
    fn operand(&mut self) -> Result<Node, QueryError> {
        let current = || Box::new(Node::new(Kind::Current));
        let at = self.peek().at.clone();
        let Some(placed) = self.tokens.get_mut(self.next) else { return Err(self.no_operand()) };
        let kind = match &mut placed.token {
            Token::Literal(value) => Kind::Literal(value.take()),
            Token::Quoted(name) => Kind::Field(std::mem::take(name), at),
            Token::Name(name) => {
                let name = std::mem::take(name);
                if self.second_sign() == "(" {
                    self.next += 1;
                    return self.call(&name, at);
                }
                Kind::Field(name, at)
            }
            Token::Sign(sign) => match *sign {
                "@" => Kind::Current,
                "*" => {
                    self.take();
                    let each = self.each_item(STAR)?;
                    return self.node(Kind::EachValue(current(), each));
                }
                "[]" | "[?" => {
                    let sign = *sign;
                    return self.operator(sign, Node::new(Kind::Current));
                }
                "!" => {
                    self.take();
                    let inner = Box::new(self.expression(NOT)?);
                    return self.node(Kind::Not(inner));
                }
                "{" => return self.map(),
                "(" => {
                    self.opens();
                    let inner = self.expression(0)?;
                    self.closes(")")?;
                    return Ok(inner);
                }
                "[" => return self.bracket(None),
                _ => return Err(self.no_operand()),
            },
            _ => return Err(self.no_operand()),
        };
        self.take();
        self.node(kind)
    }

    /// Combines the next sign with what precedes it.
    fn operator(&mut self, sign: &'static str, left: Node) -> Result<Node, QueryError> {
        let binding = strength(sign);
        let left = Box::new(left);
        let kind = match sign {
            "[" => return self.bracket(Some(*left)),
            "." => {
                self.take();
                if self.sign() == "*" {
                    self.take();
                    Kind::EachValue(left, self.each_item(DOT)?)
                } else {
                    Kind::Then(left, Box::new(self.after_dot(DOT)?))
                }
            }
            "[]" => {
                self.take();
                let flat = Box::new(self.node(Kind::Flatten(left))?);
                Kind::Each(flat, self.each_item(binding)?)
            }
            "[?" => {
                self.opens();
                let condition = Box::new(self.expression(0)?);
                self.closes("]")?;
                let each = match self.sign() {
                    "[]" => Box::new(Node::new(Kind::Current)),
                    _ => self.each_item(FILTER)?,
                };
                Kind::Filter(left, condition, each)
            }
            _ => {
                self.take();
                let right = Box::new(self.expression(binding)?);
                match sign {
                    "|" => Kind::Then(left, right),
                    "||" => Kind::Or(left, right),
                    "&&" => Kind::And(left, right),
                    "==" => Kind::Compare(Comparator::Equal, left, right),
                    "!=" => Kind::Compare(Comparator::Unequal, left, right),
                    "<" => Kind::Compare(Comparator::Less, left, right),
                    "<=" => Kind::Compare(Comparator::AtMost, left, right),
                    ">" => Kind::Compare(Comparator::Greater, left, right),
                    _ => Kind::Compare(Comparator::AtLeast, left, right),
                }
            }
        };
        self.node(kind)
    }

    /// Reads the projection that applies to each item of a list.
    fn each_item(&mut self, binding: u8) -> Result<Box<Node>, QueryError> {
        let sign = self.sign();
        Ok(Box::new(match sign {
            "[" | "[?" => self.expression(binding)?,
            "." => {
                self.take();
                self.after_dot(binding)?
            }
            // Anything else ends the projection.
            _ => Node::new(Kind::Current),
        }))
    }

    fn after_dot(&mut self, binding: u8) -> Result<Node, QueryError> {
        match (&self.peek().token, self.sign()) {
            (Token::Name(_) | Token::Quoted(_), _) | (_, "*") => self.expression(binding),
            (_, "[") => {
                self.opens();
                self.list()
            }
            (_, "{") => self.map(),
            (Token::End | Token::Bad(_), _) => Err(self.no_operand()),
            (_, sign) if is_closing(sign) || strength(sign) > 0 => Err(self.no_operand()),
            _ => {
                let at = self.peek().at.clone();
                Err(fault(
                    at,
                    "expected a name, `*`, `[` or `{` after `.`",
                    "put a name with other characters in double quotes",
                ))
            }
        }
    }

    /// What begins with `[`: an index, a slice, all items, or, if nothing precedes it, a list.
    fn bracket(&mut self, left: Option<Node>) -> Result<Node, QueryError> {
        self.opens();
        let is_first = left.is_none();
        let left = Box::new(left.unwrap_or_else(|| Node::new(Kind::Current)));
        if matches!(self.peek().token, Token::Number(_)) || self.sign() == ":" {
            return self.index(left);
        }
        if self.sign() == "*" && self.second_sign() == "]" {
            self.take();
            self.closes("]")?;
            let each = self.each_item(STAR)?;
            return self.node(Kind::Each(left, each));
        }
        if is_first {
            return self.list();
        }
        if matches!(self.peek().token, Token::End | Token::Bad(_)) {
            return Err(self.no_operand());
        }
        let at = self.peek().at.clone();
        Err(fault(
            at,
            "expected an index, a slice or `*` between `[` and `]`",
            "write `[?…]` to filter items, or `.\"a key\"` for a key",
        ))
    }

    fn index(&mut self, left: Box<Node>) -> Result<Node, QueryError> {
        let mut parts = [None; 3];
        let mut colons = 0;
        let from = self.peek().at.start;
        loop {
            match self.peek().token {
                Token::Number(number) => match parts.get_mut(colons) {
                    Some(part @ None) => *part = Some(number),
                    _ => return Err(self.stray()),
                },
                Token::Sign(":") if colons < 2 => colons += 1,
                _ => break,
            }
            self.take();
        }
        let to = self.peek().at.start;
        self.closes("]")?;
        let [start, stop, step] = parts;
        if colons == 0 {
            return self.node(Kind::Index(left, start.unwrap_or(0)));
        }
        if step == Some(0) {
            return Err(fault(from..to, "the step of a slice is 0", "remove it, or use another number"));
        }
        let slice = self.node(Kind::Slice(left, Slice { start, stop, step: step.unwrap_or(1) }))?;
        let each = self.each_item(STAR)?;
        self.node(Kind::Each(Box::new(slice), each))
    }

    /// The rest of a list, after its `[`.
    fn list(&mut self) -> Result<Node, QueryError> {
        let mut items = Vec::new();
        loop {
            items.push(self.expression(0)?);
            if self.sign() != "," {
                break;
            }
            self.take();
        }
        self.closes("]")?;
        self.node(Kind::List(items))
    }

    fn map(&mut self) -> Result<Node, QueryError> {
        self.opens();
        let mut entries: Vec<(String, Node)> = Vec::new();
        let mut places: Table<String, usize> = Table::new();
        loop {
            let key = match &self.peek().token {
                Token::Name(name) | Token::Quoted(name) => name.clone(),
                Token::Sign(_) | Token::Bad(_) | Token::End => return Err(self.no_operand()),
                _ => {
                    let at = self.peek().at.clone();
                    return Err(fault(
                        at,
                        "expected a name as a key of `{`",
                        "write `{key: expression}`; put a name with other characters in double quotes",
                    ));
                }
            };
            let at = self.take();
            if self.sign() != ":" {
                return Err(match self.peek().token {
                    Token::Bad(_) => self.stray(),
                    _ => fault(at, format!("expected `:` after `{key}`"), "write `{key: expression}`"),
                });
            }
            self.take();
            let value = self.expression(0)?;
            // The last one of duplicate names counts, as in a JSON object.
            match places.get(&key).and_then(|at| entries.get_mut(*at)) {
                Some(entry) => entry.1 = value,
                None => {
                    places.insert(key.clone(), entries.len());
                    entries.push((key, value));
                }
            }
            if self.sign() != "," {
                break;
            }
            self.take();
        }
        self.closes("}")?;
        self.node(Kind::Map(entries))
    }

    /// The call of a function with its name at `at`; the bracket comes next.
    fn call(&mut self, name: &str, at: Range<usize>) -> Result<Node, QueryError> {
        let function = FUNCTIONS.iter().find(|function| function.name == name);
        self.opens();
        let mut arguments = Vec::new();
        while self.sign() != ")" || !arguments.is_empty() {
            let from = self.peek().at.start;
            let is_reference = self.sign() == "&";
            let by = function.and_then(|function| function.by);
            if is_reference {
                if function.is_some() && by != Some(arguments.len()) {
                    let place = self.take();
                    return Err(fault(place, format!("unexpected `&` in `{name}`"), "remove `&`"));
                }
                self.take();
            } else if by == Some(arguments.len()) {
                let (place, help) = (self.peek().at.clone(), "write `&` before it, such as `&name`");
                return Err(match self.peek().token {
                    Token::Sign(sign) if is_closing(sign) => self.no_operand(),
                    Token::End | Token::Bad(_) => self.no_operand(),
                    _ => fault(place, format!("expected an expression with `&` in `{name}`"), help),
                });
            }
            let node = self.expression(0)?;
            let to = self.before().end;
            arguments.push(Argument { node, at: from..to });
            if self.sign() != "," {
                break;
            }
            self.take();
        }
        let end = self.peek().at.end;
        self.closes(")")?;
        let Some(function) = function else {
            self.unknown.push(at);
            return self.node(Kind::List(arguments.into_iter().map(|argument| argument.node).collect()));
        };
        check_count(function, arguments.len(), at.start..end)?;
        self.node(Kind::Call(function, at, arguments))
    }

    /// The place of the piece before the next one.
    fn before(&self) -> Range<usize> {
        self.next.checked_sub(1).and_then(|at| self.tokens.get(at)).map_or(0..0, |placed| placed.at.clone())
    }

    /// A value is required next, but missing.
    fn no_operand(&self) -> QueryError {
        let placed = self.peek();
        let word = self.text.get(placed.at.clone()).unwrap_or("");
        let before = self.next.checked_sub(1).and_then(|at| self.tokens.get(at));
        let sign = match before {
            Some(Placed { token: Token::Sign(sign), .. }) => *sign,
            _ => "",
        };
        let unfinished = || {
            fault(self.before(), format!("expected an expression after `{sign}`"), "finish the expression")
        };
        let is_opening = matches!(sign, "(" | "[" | "[?" | "{");
        match &placed.token {
            Token::Bad(error) => error.clone(),
            Token::End if sign.is_empty() || is_opening => self.not_closed(),
            Token::End => unfinished(),
            Token::Number(_) => self.bare_number(placed.at.start),
            Token::Sign("&") => fault(
                placed.at.clone(),
                "`&` is only allowed before an argument of a function",
                "use `&` in `map`, `max_by`, `min_by` and `sort_by`, and `&&` between conditions",
            ),
            Token::Sign(closing) if is_closing(closing) && is_opening => fault(
                self.before().start..placed.at.end,
                format!("expected an expression between `{sign}` and `{closing}`"),
                "",
            ),
            Token::Sign(closing) if is_closing(closing) && sign.is_empty() => self.stray(),
            Token::Sign(_) if sign.is_empty() || is_opening => fault(
                placed.at.clone(),
                format!("expected an expression before `{word}`"),
                "add an expression",
            ),
            _ => unfinished(),
        }
    }

    /// A number at `start` where only a literal is allowed.
    fn bare_number(&self, start: usize) -> QueryError {
        let rest = self.text.get(start..).unwrap_or("");
        let is_part = |c: char| c.is_ascii_digit() || matches!(c, '-' | '.');
        let word = rest.get(..rest.find(|c| !is_part(c)).unwrap_or(rest.len())).unwrap_or("");
        let word = word.trim_end_matches('.');
        let message = format!("the number `{word}` is not in backticks");
        let help = format!("put it in backticks, as in: length(messages) == `{word}`");
        let found = fault(start..start + word.len(), message, help);
        QueryError { meant: Some(format!("`{word}`")), ..found }
    }

    /// An operator or the end is required next, but something else follows.
    fn stray(&self) -> QueryError {
        let placed = self.peek();
        let word = self.text.get(placed.at.clone()).unwrap_or("");
        let at = placed.at.clone();
        match &placed.token {
            Token::Bad(error) => return error.clone(),
            Token::End => return self.not_closed(),
            Token::Number(_) if !matches!(self.open.last(), Some(("[", _))) => return self.no_operand(),
            Token::Sign(sign) if is_closing(sign) => {
                return fault(at, format!("unmatched `{sign}`"), "");
            }
            Token::Sign("," | ":") => return fault(at, format!("unexpected `{word}`"), ""),
            _ => {}
        }
        let before = self.text.get(self.before()).unwrap_or("");
        let meant = match word {
            "and" => Some("&&"),
            "or" => Some("||"),
            "is" | "equals" => Some("=="),
            _ => None,
        };
        let help = match word {
            _ if before == "not" => "write `!` for not",
            "and" => "write `&&`",
            "or" => "write `||`",
            "is" | "equals" => "write `==`",
            "in" | "contains" => "write `contains(list, value)`",
            _ => "write a string in single quotes; use `==`, `&&` and `||` as operators",
        };
        let found = fault(at, format!("expected an operator before `{word}`"), help);
        QueryError { meant: meant.filter(|_| before != "not").map(str::to_owned), ..found }
    }

    fn not_closed(&self) -> QueryError {
        let Some((sign, at)) = self.open.last() else {
            return fault(0..self.text.len(), "the expression is not finished", "");
        };
        let closing = match *sign {
            "(" => ")",
            "{" => "}",
            _ => "]",
        };
        fault(*at..*at + sign.len(), format!("`{sign}` is not closed"), format!("add `{closing}`"))
    }
}

fn check_count(function: &Function, count: usize, at: Range<usize>) -> Result<(), QueryError> {
    let Function { name, least, most, .. } = function;
    if count >= *least && count <= *most {
        return Ok(());
    }
    let plural = if *least == 1 { "" } else { "s" };
    let takes = if least == most { "" } else { "at least " };
    let message = format!("`{name}`: expected {takes}{least} argument{plural}, found {count}");
    Err(fault(at, message, format!("write `{}`", function.usage)))
}

fn is_closing(sign: &str) -> bool {
    matches!(sign, ")" | "]" | "}")
}

/// How strongly a sign binds to what precedes it; 0 if it does not.
fn strength(sign: &str) -> u8 {
    match sign {
        "|" => 1,
        "||" => 2,
        "&&" => 3,
        "==" | "!=" | "<" | "<=" | ">" | ">=" => 5,
        "[]" => 9,
        "[?" => FILTER,
        "." => DOT,
        "[" => 55,
        _ => 0,
    }
}
