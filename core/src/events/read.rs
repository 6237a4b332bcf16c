//! The reading of a whole text.

use super::line::{self, is_event};
use super::{Event, Fields, Log, Shape, Uuid};
use crate::diagnostic::{Diagnostic, Severity, codes};
use crate::encoding::exact::{self, Fault, Raw};
use crate::text::{Span, Table, sort_by_key};

/// The key of the events in a recording of `AgentLoom`.
pub const NESTED: &str = "_inter_agent_events";

impl Log {
    /// Reads a log in any of its forms. [`Log::findings`] reports what is wrong; only a line that is no event
    /// is lost, and what comes before a cut is kept. The time it takes grows with the length of the text.
    ///
    /// ```
    /// use transcript_core::events::{EventKind, Log};
    /// let text = concat!(
    ///     r#"{"event_id": "46bd969b-9530-4e7e-a4af-29b2a01eb7a2", "type": "state_transition", "agent_id": "bob", "#,
    ///     r#""timestamp_ns": 1, "parent_event_id": null, "payload_hash": "518326b679f26820", "#,
    ///     r#""from_state": "idle", "to_state": "running"}"#,
    /// );
    /// let log = Log::read(text.to_owned());
    /// assert_eq!((log.events()[0].kind, log.agents()), (EventKind::StateTransition, &["bob".to_owned()][..]));
    /// assert_eq!(log.fields(0).text("to_state").as_deref(), Some("running"));
    /// assert!(log.findings().diagnostics().is_empty());
    /// ```
    #[must_use]
    pub fn read(text: String) -> Self {
        let mut reader = Reader { text: &text, log: Self::default(), agents: Table::new() };
        reader.read();
        let mut log = reader.log;
        let mut by_key: Vec<u32> = (0..log.answers.len()).filter_map(|at| u32::try_from(at).ok()).collect();
        sort_by_key(&mut by_key, |at| log.answers.get(*at as usize).map(|(key, _)| key.as_str()));
        log.by_key = by_key;
        Self { text, ..log }
    }
}

/// Detects by its begin whether a text is a log of events, and its form; a recording only counts with events.
///
/// ```
/// use transcript_core::events::{Shape, detect};
/// assert_eq!(detect(r#"{"event_id": "x", "parent_event_id": null}"#), Some(Shape::Lines));
/// assert_eq!(detect(r#"[{"event_id": "x", "parent_event_id": null}]"#), Some(Shape::List));
/// assert_eq!(detect(r#"{"_version": 2, "_inter_agent_events": []}"#), Some(Shape::Recording));
/// assert_eq!(detect(r#"{"role": "user"}"#), None);
/// ```
#[must_use]
pub fn detect(text: &str) -> Option<Shape> {
    let rest = text.trim_start_matches('\u{feff}').trim_ascii_start();
    // The first keys suffice; the rest need not be complete.
    let has_both = |text: &str| {
        let (mut id, mut parent) = (false, false);
        _ = exact::members(text, 0, &mut |key, _| {
            id |= key.text == "\"event_id\"";
            parent |= key.text == "\"parent_event_id\"";
        });
        id && parent
    };
    if let Some(inner) = rest.strip_prefix('[') {
        return has_both(inner).then_some(Shape::List);
    }
    let first = rest.lines().next().unwrap_or_default();
    if has_both(first) {
        return Some(Shape::Lines);
    }
    let mut has_events = false;
    if rest.contains(NESTED) {
        _ = exact::members(rest, 0, &mut |key, value| {
            has_events |= key.text.trim_matches('"') == NESTED && value.kind() == "a list";
        });
    }
    has_events.then_some(Shape::Recording)
}

struct Reader<'t> {
    text: &'t str,
    log: Log,
    agents: Table<String, u32>,
}

impl<'t> Reader<'t> {
    fn read(&mut self) {
        let start = if self.text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        let rest = self.text.get(start..).unwrap_or_default();
        match rest.trim_ascii_start().as_bytes().first() {
            None => self.fault(codes::EMPTY, Span::empty(start), "the log has no events".to_owned(), None),
            Some(b'[') => {
                self.log.shape = Shape::List;
                self.list(start);
            }
            Some(b'{') if self.is_recording(start) => {
                self.log.shape = Shape::Recording;
                self.recording(start);
            }
            Some(_) if self.is_other(start) => {
                let help = "write events one per line, in a list, or in `_inter_agent_events` of a recording";
                self.fault(codes::EMPTY, Span::empty(start), "the text has no events".to_owned(), Some(help));
            }
            Some(_) => self.lines(start),
        }
    }

    /// Whether the text is a single map that is neither an event nor contains any.
    fn is_other(&self, start: usize) -> bool {
        let Some(rest) = self.text.get(start..) else { return false };
        let (fields, end) = Fields::read(Raw { text: rest, start });
        let ends = end.is_ok_and(|end| rest.get(end..).unwrap_or_default().trim_ascii().is_empty());
        ends && !is_event(&fields) && fields.kind.is_none()
    }

    /// Whether the text is one map without the keys of an event, which in lines are on the first line.
    fn is_recording(&self, start: usize) -> bool {
        let Some(rest) = self.text.get(start..) else { return false };
        if !rest.contains(NESTED) {
            return false;
        }
        !is_event(&Fields::read(Raw { text: rest, start }).0)
    }

    fn recording(&mut self, start: usize) {
        let text = self.text;
        let mut entries: Vec<(Raw<'t>, Raw<'t>)> = Vec::new();
        let end = exact::members(text, start, &mut |key, value| entries.push((key, value)));
        let mut has_list = false;
        for (key, value) in &entries {
            let Some(name) = key.as_text() else { continue };
            if name == NESTED {
                has_list = true;
                self.log.list = value.span();
                self.list(value.start);
            } else if !name.starts_with('_') {
                self.log.answers.push((name.into_owned(), value.span()));
            }
        }
        match end {
            Ok(end) => self.nothing_after(end),
            Err(fault) => {
                // The list itself may be truncated: its events up to there are kept.
                let rest = text.get(entries.last().map_or(start, |(_, last)| last.span().end as usize)..);
                let key = rest.and_then(|rest| Some((rest, rest.find(NESTED)? + NESTED.len() + 1)));
                let list = key.and_then(|(rest, key)| {
                    Some(text.len() - rest.len() + key + rest.get(key..)?.find('[')?)
                });
                match list.filter(|_| !has_list) {
                    Some(list) => self.list(list),
                    None => self.report_stop(fault),
                }
            }
        }
    }

    /// Reads the list that begins at `start`, after optional white space.
    fn list(&mut self, start: usize) {
        let text = self.text;
        let is_nested = self.log.shape == Shape::Recording;
        match exact::items(text, start, &mut |item| self.item(item)) {
            Ok(end) if !is_nested => self.nothing_after(end),
            Ok(_) => {}
            Err(fault) => self.report_stop(fault),
        }
    }

    fn nothing_after(&mut self, end: usize) {
        let rest = self.text.get(end..).unwrap_or_default();
        // An array may be followed by lines, if a program then began to write these.
        if !rest.trim_ascii().is_empty() {
            self.lines(end);
        }
    }

    /// Reports the place where reading stopped.
    fn report_stop(&mut self, fault: Fault) {
        let span = Span::new(fault.at, fault.at);
        if fault.is_end {
            self.report_cut(span);
            return;
        }
        let message = format!("not valid JSON from here on: {}", fault.why);
        self.fault(codes::BAD_LINE, span, message, Some("everything before it is kept"));
    }

    fn report_cut(&mut self, span: Span) {
        let help = "everything before it is complete; remove the partial event, or record it again";
        self.fault(
            codes::CUT_LOG,
            span,
            "the log is cut off in the middle of an event".to_owned(),
            Some(help),
        );
    }

    fn lines(&mut self, start: usize) {
        let text = self.text;
        let mut at = start;
        for whole in text.get(start..).unwrap_or_default().split_inclusive('\n') {
            let blank = whole.len() - whole.trim_ascii_start().len();
            let line = Raw { text: whole.trim_ascii(), start: at + blank };
            at += whole.len();
            if line.text.is_empty() {
                continue;
            }
            let is_last = !whole.ends_with('\n');
            if line.text.starts_with('{') {
                self.line(line, is_last);
                continue;
            }
            match exact::value(line.text, 0) {
                Err(fault) => self.report_bad_line(line, fault, is_last),
                Ok(_) => self.item(line),
            }
        }
    }

    fn line(&mut self, line: Raw<'t>, is_last: bool) {
        let (fields, end) = Fields::read(line);
        match end {
            Ok(end) if end == line.text.len() => self.event(line, &fields),
            Ok(end) => self.several(line, end, is_last),
            Err(fault) => self.report_bad_line(line, fault, is_last),
        }
    }

    /// Takes a line that continues after its first event, which ends at `end`: a line break may have been
    /// lost between two events. Both are read then; only what is no event after the first is lost.
    fn several(&mut self, line: Raw<'t>, end: usize, is_last: bool) {
        let part = |from: usize, to: usize| {
            let text = line.text.get(from..to).unwrap_or_default();
            let blank = text.len() - text.trim_ascii_start().len();
            Raw { text: text.trim_ascii(), start: line.start + from + blank }
        };
        let first = part(0, end);
        self.event(first, &Fields::read(first).0);
        let mut rest = part(end, line.text.len());
        while rest.text.starts_with('{') {
            let from = rest.start - line.start;
            let (fields, end) = Fields::read(rest);
            let end = match end {
                Ok(end) => end,
                Err(fault) => return self.report_bad_line(rest, fault, is_last),
            };
            self.log.findings.add(codes::BAD_LINE, Severity::Warning, || {
                let span = Span::new(rest.start, rest.start + end);
                let message = "there are two events on one line".to_owned();
                Diagnostic::new(codes::BAD_LINE, Severity::Warning, span, message)
                    .help("both are read; write one event per line")
            });
            self.event(part(from, from + end), &fields);
            rest = part(from + end, line.text.len());
        }
        if !rest.text.is_empty() {
            self.report_bad_line(
                rest,
                Fault { at: 0, why: "unexpected text after the event", is_end: false },
                is_last,
            );
        }
    }

    fn report_bad_line(&mut self, line: Raw<'t>, fault: Fault, is_last: bool) {
        if fault.is_end && is_last {
            self.report_cut(line.span());
            return;
        }
        let span = Span::new(line.start + fault.at.min(line.text.len()), line.start + line.text.len());
        let message = format!("the line is not valid JSON: {}", fault.why);
        self.fault(codes::BAD_LINE, span, message, Some("write one event per line"));
    }

    /// Reads one value where an event is expected.
    fn item(&mut self, item: Raw<'t>) {
        if !item.text.starts_with('{') {
            let message = format!("expected an event, found {}", item.kind());
            self.fault(codes::BAD_LINE, item.span(), message, Some("write the event as a map"));
            return;
        }
        self.event(item, &Fields::read(item).0);
    }

    fn event(&mut self, raw: Raw<'t>, fields: &Fields<'t>) {
        let line = line::line(self.text, raw.span(), fields, &mut self.log.findings);
        let place = u32::try_from(self.log.events.len()).unwrap_or(u32::MAX);
        self.log.joins.extend(line.after.into_iter().map(|after: Uuid| (place, after)));
        let agent = self.agent(&line.agent);
        self.log.events.push(Event {
            id: line.id,
            parent: line.parent,
            span: raw.span(),
            agent,
            kind: line.kind,
        });
    }

    fn agent(&mut self, name: &str) -> u32 {
        if let Some(place) = self.agents.get(name) {
            return *place;
        }
        let place = u32::try_from(self.log.agents.len()).unwrap_or(u32::MAX);
        self.log.agents.push(name.to_owned());
        self.agents.insert(name.to_owned(), place);
        place
    }

    fn fault(&mut self, code: &'static str, span: Span, message: String, help: Option<&str>) {
        self.log.findings.add(code, Severity::Error, || {
            let diagnostic = Diagnostic::new(code, Severity::Error, span, message);
            match help {
                Some(help) => diagnostic.help(help),
                None => diagnostic,
            }
        });
    }
}
