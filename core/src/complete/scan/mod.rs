//! Scans a text that may be broken anywhere.

mod block;
mod flow;
mod token;

use super::place::{Level, Place, Slot, Step};
use crate::parse::Style;
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
    /// For a map, whether the current key has its colon; for a list, whether there is an item.
    begun: bool,
    /// Whether the current key has its value, or the current item is present.
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

/// The maximum nesting depth of maps and lists; no reader accepts more.
const DEPTH: usize = 500;

/// A token on one line.
struct Token {
    start: usize,
    end: usize,
    quote: Style,
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
    /// The column of a place on a line that is empty from there on.
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
            if self.end >= bytes.len() || self.frames.len() > DEPTH {
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

    /// A map with its first key at the place, before the ones below it.
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

    /// Closes the innermost frame; the place gets the keys that came after it.
    fn pop(&mut self) {
        let Some(frame) = self.frames.pop() else { return };
        let depth = self.frames.len();
        if self.frames.is_empty() && frame.map && self.root.is_empty() {
            self.root = frame.entries.iter().map(|(key, _)| key.clone()).collect();
        }
        if let Some(place) = &mut self.place
            && let Some(level) = place.levels.get_mut(depth).filter(|level| level.frame == frame.number)
        {
            level.entries = frame.entries;
        }
    }

    /// Notes the place: inside the first `depth` frames, at a token or nothing.
    fn note(&mut self, slot: Slot, depth: usize, token: Option<&Token>) {
        let at = Token { start: self.offset, end: self.offset, quote: Style::Plain, closed: false };
        let token = token.unwrap_or(&at);
        let mut levels: Vec<Level> = self
            .frames
            .iter()
            .take(depth)
            .map(|frame| Level { frame: frame.number, step: frame.step(), entries: Vec::new() })
            .collect();
        let inner = self.inner(token);
        // A key that is being typed has no entry yet, or is the last one: the step has the typed
        // text.
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
        let quotes = usize::from(token.quote != Style::Plain);
        let end = token.end - if token.closed { quotes } else { 0 };
        Span::new((token.start + quotes).min(end), end)
    }
}
