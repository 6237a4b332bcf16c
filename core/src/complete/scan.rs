//! The scan of a text that may be broken anywhere.

use super::place::{Level, Place, Quote, Slot, Step};
use crate::text::Span;

/// A map or a list that is open.
struct Frame {
    number: usize,
    /// The column, for block style.
    indent: usize,
    flow: bool,
    map: bool,
    /// The keys so far, the current one last, each with its scalar.
    entries: Vec<(String, String)>,
    /// Of a map, whether the current key has its colon; of a list, whether there is an item.
    begun: bool,
    /// Whether the value of the current key, or the current item, is there.
    filled: bool,
    items: usize,
}

impl Frame {
    fn step(&self) -> Step {
        if self.map {
            Step::Key(self.entries.last().map(|(key, _)| key.clone()).unwrap_or_default())
        } else {
            Step::Item(self.items.saturating_sub(1))
        }
    }
}

/// A token on one line.
struct Token {
    start: usize,
    end: usize,
    quote: Quote,
    closed: bool,
}

pub(super) struct Scanner<'t> {
    text: &'t str,
    offset: usize,
    /// Where the line ends.
    end: usize,
    frames: Vec<Frame>,
    count: usize,
    json: bool,
    /// Inside a block scalar: the indentation that its lines exceed.
    block: Option<usize>,
    /// Inside a quoted text of several lines: its quote.
    open: Option<u8>,
    place: Option<Place>,
    /// Of a place on a line that is empty from there on, its column.
    empty_from: Option<usize>,
    /// Whether the offset is passed.
    passed: bool,
    root: Vec<String>,
}

impl<'t> Scanner<'t> {
    pub(super) fn new(text: &'t str, offset: usize) -> Self {
        let body = text.trim_start_matches('\u{feff}').trim_start();
        let json = body.starts_with(['{', '[']);
        Self {
            text,
            offset,
            end: 0,
            frames: Vec::new(),
            count: 0,
            json,
            block: None,
            open: None,
            place: None,
            empty_from: None,
            passed: false,
            root: Vec::new(),
        }
    }

    pub(super) fn run(&mut self) {
        let bytes = self.text.as_bytes();
        let mut start = if self.text.starts_with('\u{feff}') { 3 } else { 0 };
        loop {
            let rest = bytes.get(start..).unwrap_or(&[]);
            let length = rest.iter().position(|byte| matches!(byte, b'\n' | b'\r')).unwrap_or(rest.len());
            self.end = start + length;
            self.line(start);
            if self.end >= self.offset {
                self.passed = true;
            }
            if self.end >= bytes.len() {
                return;
            }
            let crlf = bytes.get(self.end) == Some(&b'\r') && bytes.get(self.end + 1) == Some(&b'\n');
            start = self.end + if crlf { 2 } else { 1 };
        }
    }

    pub(super) fn finish(mut self) -> Option<Place> {
        while !self.frames.is_empty() {
            self.pop();
        }
        let mut place = self.place?;
        place.root = self.root;
        Some(place)
    }

    fn byte(&self, at: usize) -> Option<u8> {
        (at < self.end).then(|| self.text.as_bytes().get(at).copied()).flatten()
    }

    fn slice(&self, from: usize, to: usize) -> &'t str {
        self.text.get(from..to).unwrap_or("")
    }

    fn skip_blanks(&self, mut at: usize) -> usize {
        while matches!(self.byte(at), Some(b' ' | b'\t')) {
            at += 1;
        }
        at
    }

    /// Whether the offset is at or between these bytes and its place not known yet.
    fn is_here(&self, start: usize, end: usize) -> bool {
        !self.passed && (start..=end).contains(&self.offset)
    }

    fn push(&mut self, map: bool, flow: bool, indent: usize) {
        self.count += 1;
        self.begin_at_place(map, indent);
        if let Some(parent) = self.frames.last_mut() {
            parent.filled = true;
        }
        let frame = Frame {
            number: self.count,
            indent,
            flow,
            map,
            entries: Vec::new(),
            begun: false,
            filled: false,
            items: usize::from(flow && !map),
        };
        self.frames.push(frame);
    }

    /// A map whose first key is to come where the place is, before the ones below it.
    fn begin_at_place(&mut self, map: bool, indent: usize) {
        let Some(place) = self.place.as_mut().filter(|_| map && self.empty_from == Some(indent)) else {
            return;
        };
        let parent = self.frames.last().filter(|parent| !parent.filled).map(|parent| parent.number);
        if place.slot == Slot::Value && place.levels.last().map(|level| level.frame) == parent {
            place.slot = Slot::Key;
            place.levels.push(Level {
                frame: self.count,
                step: Step::Key(String::new()),
                entries: Vec::new(),
            });
        }
    }

    /// Closes the innermost frame; the place learns the keys that came after it.
    fn pop(&mut self) {
        let Some(frame) = self.frames.pop() else { return };
        if self.frames.is_empty() && frame.map && self.root.is_empty() {
            self.root = frame.entries.iter().map(|(key, _)| key.clone()).collect();
        }
        if let Some(place) = &mut self.place
            && let Some(level) = place.levels.iter_mut().find(|level| level.frame == frame.number)
        {
            level.entries = frame.entries;
        }
    }

    /// Notes the place: inside the first `depth` frames, at a token or nothing.
    fn note(&mut self, slot: Slot, depth: usize, token: Option<&Token>) {
        let at = Token { start: self.offset, end: self.offset, quote: Quote::None, closed: false };
        let token = token.unwrap_or(&at);
        let mut levels: Vec<Level> = self
            .frames
            .iter()
            .take(depth)
            .map(|frame| Level { frame: frame.number, step: frame.step(), entries: Vec::new() })
            .collect();
        let inner = self.inner(token);
        // A key that is being typed has no entry yet, or is the last one: the step says what is typed.
        if let (Slot::Key, Some(last)) = (slot, levels.last_mut()) {
            last.step = Step::Key(inner.slice(self.text).to_owned());
        }
        let after = self.skip_blanks(token.end);
        self.place = Some(Place {
            slot,
            levels,
            span: Span::new(token.start, token.end),
            inner,
            quote: token.quote,
            closed: token.closed,
            flow: self.frames.get(depth.wrapping_sub(1)).is_some_and(|frame| frame.flow),
            json: self.json,
            colon: self.byte(after) == Some(b':'),
            prefix: String::new(),
            root: Vec::new(),
        });
        self.passed = true;
    }

    fn inner(&self, token: &Token) -> Span {
        let quotes = usize::from(token.quote != Quote::None);
        let end = token.end - if token.closed { quotes } else { 0 };
        Span::new((token.start + quotes).min(end), end)
    }

    fn line(&mut self, start: usize) {
        let first = self.skip_blanks(start);
        let indent = first - start;
        let is_blank = first >= self.end;
        if let Some(parent) = self.block {
            if is_blank || indent >= parent {
                // What stands in a block scalar is text.
                self.passed |= self.is_here(start, self.end) && !(is_blank && self.offset < start + parent);
                if !(is_blank && self.is_here(start, self.end)) {
                    return;
                }
            }
            self.block = None;
        }
        let is_outer = |frame: &Frame| !frame.flow && frame.indent >= indent;
        let base = self.frames.iter().rfind(|frame| !frame.flow);
        if let Some(quote) = self.open {
            let is_left = !is_blank && (base.is_some_and(is_outer) || base.is_none());
            if !is_left {
                self.continued(start, quote);
                return;
            }
            self.open = None;
        }
        if self.frames.last().is_some_and(|frame| frame.flow) {
            let is_close = matches!(self.byte(first), Some(b']' | b'}'));
            if is_blank || is_close || !base.is_some_and(is_outer) {
                self.flow(start);
                return;
            }
            while self.frames.last().is_some_and(|frame| frame.flow) {
                self.pop();
            }
        }
        if is_blank {
            if self.is_here(start, self.end) {
                self.blank(self.offset - start);
            }
            return;
        }
        if self.byte(first) == Some(b'#') {
            self.comment(first);
            if self.is_here(start, first) {
                self.blank(self.offset - start);
            }
            return;
        }
        if indent == 0 && matches!(self.slice(first, self.end), "---" | "...") {
            return;
        }
        if self.is_here(start, first.saturating_sub(1)) && first > start {
            self.passed = true;
        }
        while self.frames.last().is_some_and(|frame| !frame.flow && frame.indent > indent) {
            self.pop();
        }
        let dash = self.is_dash(first);
        if self.frames.last().is_some_and(|frame| !frame.flow && !frame.map && frame.indent == indent)
            && !dash
        {
            self.pop();
        }
        self.block_line(start, first);
    }

    fn is_dash(&self, at: usize) -> bool {
        self.byte(at) == Some(b'-') && matches!(self.byte(at + 1), None | Some(b' ' | b'\t'))
    }

    /// An offset on a line of blanks, at `column`.
    fn blank(&mut self, column: usize) {
        let Some(depth) = self.frames.iter().rposition(|frame| frame.flow || frame.indent <= column) else {
            if self.frames.is_empty() {
                self.note(Slot::Value, 0, None);
            }
            return;
        };
        self.own_line(column, depth, None);
    }

    /// What stands alone on its line, at `column` in the frame `depth`.
    fn own_line(&mut self, column: usize, depth: usize, token: Option<&Token>) {
        let is_top = depth + 1 == self.frames.len();
        let Some(frame) = self.frames.get(depth) else {
            if self.frames.is_empty() {
                self.note(Slot::Value, 0, token);
            }
            return;
        };
        let (map, same) = (frame.map, frame.indent == column);
        let is_empty = !frame.filled && is_top;
        match (map, same) {
            (true, true) => self.note(Slot::Key, depth + 1, token),
            (false, true) if token.is_none() => {
                self.note(Slot::Value, depth + 1, token);
                if let Some(place) = &mut self.place {
                    place.prefix = "- ".to_owned();
                    if let Some(Level { step: Step::Item(index), .. }) = place.levels.last_mut() {
                        *index += 1;
                    }
                }
            }
            (_, false) if is_empty => self.note(Slot::Value, depth + 1, token),
            _ => self.passed = true,
        }
    }

    fn block_line(&mut self, line: usize, first: usize) {
        let mut at = first;
        while self.is_dash(at) {
            let column = at - line;
            if !self.frames.last().is_some_and(|frame| !frame.map && frame.indent == column) {
                self.push(false, false, column);
            }
            if let Some(frame) = self.frames.last_mut() {
                frame.items += 1;
                frame.begun = true;
                frame.filled = false;
            }
            let next = self.skip_blanks(at + 1);
            if self.is_here(at, at) {
                self.passed = true;
            }
            if next >= self.end {
                if self.is_here(at + 1, self.end) {
                    self.note(Slot::Value, self.frames.len(), None);
                    self.space_before(at + 1);
                    self.empty_from = Some(self.offset - line);
                }
                return;
            }
            if self.is_here(at + 1, next.saturating_sub(1)) {
                self.passed = true;
            }
            at = next;
        }
        let column = at - line;
        match self.byte(at) {
            Some(b'#') => return self.comment(at),
            Some(b'{' | b'[') => return self.flow(at),
            Some(b'|' | b'>') => {
                self.header();
                return;
            }
            _ => {}
        }
        let token = self.token(at, false);
        let after = self.skip_blanks(token.end);
        let is_key =
            self.byte(after) == Some(b':') && matches!(self.byte(after + 1), None | Some(b' ' | b'\t'));
        if !is_key {
            if self.is_here(token.start, token.end) {
                let depth = self.frames.len();
                if at == first {
                    self.own_line(column, depth.saturating_sub(1), Some(&token));
                } else {
                    self.note(Slot::Value, depth, Some(&token));
                }
            }
            if at > first {
                self.fill(&token);
            }
            return self.rest(&token);
        }
        if !self.frames.last().is_some_and(|frame| frame.map && frame.indent == column) {
            self.push(true, false, column);
        }
        self.key(&token);
        self.value(after + 1);
    }

    /// A key begins.
    fn key(&mut self, token: &Token) {
        let name = self.inner(token).slice(self.text).to_owned();
        if let Some(frame) = self.frames.last_mut() {
            frame.entries.push((name, String::new()));
            frame.begun = true;
            frame.filled = false;
        }
        if self.is_here(token.start, token.end) {
            self.note(Slot::Key, self.frames.len(), Some(token));
        }
    }

    /// What follows a key of a block map, after its colon.
    fn value(&mut self, colon: usize) {
        let mut at = self.skip_blanks(colon);
        while matches!(self.byte(at), Some(b'&' | b'!')) {
            while self.byte(at).is_some_and(|byte| byte != b' ') {
                at += 1;
            }
            at = self.skip_blanks(at);
        }
        match self.byte(at) {
            None => {
                if self.is_here(colon, self.end) {
                    self.note(Slot::Value, self.frames.len(), None);
                    self.space_before(colon);
                }
            }
            Some(b'#') => {
                if self.is_here(colon + 1, at.saturating_sub(1)) {
                    self.note(Slot::Value, self.frames.len(), None);
                }
                self.comment(at);
            }
            Some(b'{' | b'[') => self.flow(at),
            Some(b'|' | b'>') => self.header(),
            Some(_) => {
                let token = self.value_token(at);
                if self.is_here(token.start, token.end) {
                    self.note(Slot::Value, self.frames.len(), Some(&token));
                }
                self.fill(&token);
                self.rest(&token);
            }
        }
    }

    /// A block scalar begins.
    fn header(&mut self) {
        let parent = self.frames.iter().rfind(|frame| !frame.flow).map_or(0, |frame| frame.indent + 1);
        self.block = Some(parent);
        if let Some(frame) = self.frames.last_mut() {
            frame.filled = true;
        }
    }

    /// A blank before what is inserted, where it would else touch the colon or the dash at `end`.
    fn space_before(&mut self, end: usize) {
        if let Some(place) = self.place.as_mut().filter(|place| place.span.start as usize == end) {
            place.prefix = " ".to_owned();
        }
    }

    fn fill(&mut self, token: &Token) {
        let scalar = self.inner(token).slice(self.text).to_owned();
        if let Some(frame) = self.frames.last_mut() {
            frame.filled = true;
            if frame.map
                && let Some((_, value)) = frame.entries.last_mut()
            {
                *value = scalar;
            }
        }
    }

    /// What follows a scalar on its line; a quote that stays open goes on in the next one.
    fn rest(&mut self, token: &Token) {
        if token.quote != Quote::None && !token.closed && !self.json {
            self.open = self.text.as_bytes().get(token.start).copied();
            return;
        }
        let at = self.skip_blanks(token.end);
        if self.byte(at) == Some(b'#') {
            self.comment(at);
        }
    }

    /// A line of a quoted text that began above.
    fn continued(&mut self, start: usize, quote: u8) {
        let close = self.close(start, quote);
        let end = close.unwrap_or(self.end);
        self.passed |= self.is_here(start, end);
        if close.is_some() {
            self.open = None;
            if self.frames.last().is_some_and(|frame| frame.flow) {
                self.flow(end);
            }
        }
    }

    fn comment(&mut self, at: usize) {
        if self.is_here(at + 1, self.end) {
            let token = Token { start: at, end: self.end, quote: Quote::None, closed: false };
            self.note(Slot::Comment, 0, Some(&token));
        }
    }

    /// One past the quote that closes the text at `at`, if it closes on this line.
    fn close(&self, mut at: usize, quote: u8) -> Option<usize> {
        while let Some(byte) = self.byte(at) {
            if byte == b'\\' && quote == b'"' {
                at += 2;
            } else if byte != quote {
                at += 1;
            } else if quote == b'\'' && self.byte(at + 1) == Some(b'\'') {
                at += 2;
            } else {
                return Some(at + 1);
            }
        }
        None
    }

    /// The token at `at`: a quoted text, or a plain one up to what ends a key or a value.
    fn token(&self, at: usize, flow: bool) -> Token {
        if let Some(quote @ (b'"' | b'\'')) = self.byte(at) {
            let kind = if quote == b'"' { Quote::Double } else { Quote::Single };
            if let Some(end) = self.close(at + 1, quote) {
                return Token { start: at, end, quote: kind, closed: true };
            }
            // What is being typed ends where its brackets do.
            let here = self.is_here(at, self.end);
            let from = self.offset.max(at + 1) - at;
            let tail = self.slice(at, self.end).get(from..).unwrap_or("");
            let cut = tail.find([',', ']', '}']).filter(|_| flow && here);
            let end = cut.map_or(self.end, |cut| at + from + cut);
            return Token { start: at, end, quote: kind, closed: false };
        }
        let mut end = at;
        while let Some(byte) = self.byte(end) {
            let next = self.byte(end + 1);
            let ends = match byte {
                b':' => {
                    matches!(next, None | Some(b' ' | b'\t'))
                        || flow && matches!(next, Some(b',' | b']' | b'}'))
                }
                b'#' => end > at && matches!(self.byte(end - 1), Some(b' ' | b'\t')),
                b',' | b'[' | b']' | b'{' | b'}' => flow,
                _ => false,
            };
            if ends {
                break;
            }
            end += 1;
        }
        Token { start: at, end: self.trimmed(at, end), quote: Quote::None, closed: false }
    }

    /// A value goes to the end of its line, colons included.
    fn value_token(&self, at: usize) -> Token {
        if matches!(self.byte(at), Some(b'"' | b'\'')) {
            return self.token(at, false);
        }
        let rest = self.slice(at, self.end);
        let end = rest.find(" #").unwrap_or(rest.len());
        Token { start: at, end: self.trimmed(at, at + end), quote: Quote::None, closed: false }
    }

    fn trimmed(&self, from: usize, to: usize) -> usize {
        from + self.slice(from, to).trim_end().len()
    }

    /// Goes on in brackets from `at` to the end of the line or of the outermost bracket.
    fn flow(&mut self, mut at: usize) {
        loop {
            let blanks = at;
            at = self.skip_blanks(at);
            if self.is_here(blanks, at.saturating_sub(1)) || at >= self.end && self.is_here(blanks, at) {
                self.between();
            }
            let Some(byte) = self.byte(at) else { return };
            match byte {
                b'{' | b'[' => {
                    self.push(byte == b'{', true, 0);
                    at += 1;
                    if self.is_here(at, at) && !self.starts_token(at) {
                        self.between();
                    }
                }
                b'}' | b']' => {
                    if self.is_here(at, at) {
                        self.between();
                    }
                    at += 1;
                    if self.frames.last().is_some_and(|frame| frame.flow) {
                        self.pop();
                    }
                    if !self.frames.last().is_some_and(|frame| frame.flow) {
                        let rest = self.skip_blanks(at);
                        if self.byte(rest) == Some(b'#') {
                            self.comment(rest);
                        }
                        return;
                    }
                }
                b',' => {
                    if self.is_here(at, at) {
                        self.between();
                    }
                    if let Some(frame) = self.frames.last_mut() {
                        frame.begun = false;
                        frame.filled = false;
                        frame.items += usize::from(!frame.map);
                    }
                    at += 1;
                }
                b':' => {
                    if let Some(frame) = self.frames.last_mut() {
                        frame.begun = true;
                    }
                    at += 1;
                    if self.is_here(at, at) && !self.starts_token(at) {
                        self.between();
                        self.space_before(at);
                    }
                }
                b'#' => return self.comment(at),
                _ => {
                    let token = self.token(at, true);
                    let is_key = self.frames.last().is_some_and(|frame| frame.map && !frame.begun);
                    if is_key {
                        self.flow_key(&token);
                    } else {
                        if self.is_here(token.start, token.end) {
                            self.note(Slot::Value, self.frames.len(), Some(&token));
                        }
                        self.fill(&token);
                    }
                    if token.end >= self.end && token.quote != Quote::None && !token.closed && !self.json {
                        self.open = Some(byte);
                        return;
                    }
                    at = token.end.max(at + 1);
                }
            }
        }
    }

    fn starts_token(&self, at: usize) -> bool {
        self.byte(at).is_some_and(|byte| !matches!(byte, b' ' | b'\t' | b',' | b']' | b'}'))
    }

    fn flow_key(&mut self, token: &Token) {
        let name = self.inner(token).slice(self.text).to_owned();
        if let Some(frame) = self.frames.last_mut() {
            frame.entries.push((name, String::new()));
        }
        if self.is_here(token.start, token.end) {
            self.note(Slot::Key, self.frames.len(), Some(token));
        }
    }

    /// An offset in brackets where no token is.
    fn between(&mut self) {
        let Some(frame) = self.frames.last() else { return };
        let depth = self.frames.len();
        if frame.filled {
            self.passed = true;
        } else if frame.map && !frame.begun {
            self.note(Slot::Key, depth, None);
        } else {
            self.note(Slot::Value, depth, None);
        }
    }
}
