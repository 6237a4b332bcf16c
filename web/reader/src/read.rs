//! A document as read: the first report, and its rows and problems in pieces.

use serde_json::{Value, json};
use transcript_core::diagnostic::render::{Problem, problems};
use transcript_core::diagnostic::{Applicability, Severity, codes};
use transcript_core::document::{Document, Limits};
use transcript_core::text::LineIndex;
use transcript_core::view::{
    DocumentOutline, EventLog, Exchange, FoundStep, ListPiece, ListedProblem, Prices, ProblemPlace,
    ReadAnswer, RunStrip, RunTotals, StepDetail, StepRow, TabRequest, pack_numbers,
};

use crate::clock::Clock;
use crate::entries::read_entry;
use crate::filter::{Filter, Measure};
use crate::history::History;
use crate::timeline::timeline;
use crate::totals::{cost, run_totals};
use crate::{chat, history, link, nested_run, store_vs_sent, strip, tree};

/// The most rows or problems in one piece.
pub const PIECE: u32 = 256;
/// The most entries of the read view in one piece: they have whole texts.
pub const ENTRIES: u32 = 32;

#[derive(Debug)]
pub(crate) struct ReadDocument {
    pub(crate) document: Document,
    pub(crate) problems: Vec<Problem>,
    rows: Vec<StepRow>,
    /// The step requested last, with the place of its row.
    step: Option<(usize, StepDetail)>,
    /// The value requested last.
    history: Option<History>,
}

impl ReadDocument {
    pub(crate) fn new(text: &str) -> Self {
        let document = Document::open(text, &Limits::default());
        // Of a log of events the events are checked. A file that is no transcript has no problems of one, and neither has a
        // text that is still empty.
        let is_other = document.other_format().is_some() || document.unrecognized().is_some();
        let problems = match document.other_format() {
            Some("event-log") => EventLog::open(text.to_owned()).problems(""),
            _ if is_other || text.trim().is_empty() => Vec::new(),
            _ => problems("", document.text(), document.lines(), document.diagnostics()),
        };
        let rows = document.steps();
        Self { document, problems, rows, step: None, history: None }
    }

    /// What is reported at once: the outline, and pieces of the rows and problems by their first place.
    pub(crate) fn answer(&self, rows: &[u32], problems: &[u32]) -> ReadAnswer {
        let (text, lines) = (self.document.text(), self.document.lines());
        let changes = self.rows.iter().enumerate().filter(|(_, row)| row.changes_context);
        let places = self.rows.iter().flat_map(|row| places(row, text, lines));
        let pieces = |what: &str, starts: &[u32]| {
            starts.iter().map(|&start| ListPiece { start, items: self.piece(what, start) }).collect()
        };
        let outline = DocumentOutline {
            form: self.document.overview().form,
            is_readable: self.document.is_readable(),
            other: self.document.other_format().map(str::to_owned),
            unrecognized: self.document.unrecognized().cloned(),
            certain_fixes: self.certain_fixes(),
            first_unread: self.first_unread(),
            found: ProblemPlace::pack(
                self.problems.iter().map(|problem| problem_place(problem, text, lines)),
            ),
            links: link::step_links(&self.rows).join(" "),
            paths: self.rows.iter().map(|row| row.path.as_str()).collect::<Vec<_>>().join(" "),
            lines: pack_numbers(places),
            changes: pack_numbers(changes.map(|(at, _)| at)),
        };
        ReadAnswer { outline, rows: pieces("rows", rows), problems: pieces("problems", problems) }
    }

    pub(crate) fn piece(&self, what: &str, start: u32) -> Value {
        let start = start as usize;
        let end = start + if what == "entries" { ENTRIES } else { PIECE } as usize;
        let range = |length: usize| start.min(length)..end.min(length);
        let rows = || self.rows.get(range(self.rows.len())).unwrap_or_default().iter();
        match what {
            "rows" => rows().map(|row| json!(nested_run::listed_step(&self.document, row))).collect(),
            "entries" => rows().map(|row| json!(read_entry(&self.document, row))).collect(),
            _ => self
                .problems
                .get(range(self.problems.len()))
                .unwrap_or_default()
                .iter()
                .map(|problem| json!(ListedProblem::from(problem)))
                .collect(),
        }
    }

    /// The step of the row at `at`.
    pub(crate) fn step(&mut self, at: usize) -> Option<&StepDetail> {
        if self.step.as_ref().is_none_or(|(known, _)| *known != at) {
            self.step = self.document.step(&self.rows.get(at)?.path).map(|step| (at, step));
        }
        self.step.as_ref().map(|(_, step)| step)
    }

    /// What a tab of the inspector shows of the step of the row at `at`.
    pub(crate) fn look(&mut self, at: usize, request: TabRequest) -> Option<Value> {
        let path = self.rows.get(at)?.path.clone();
        let needs_detail = !matches!(
            request,
            TabRequest::State { .. } | TabRequest::History { .. } | TabRequest::PromptChanges { .. }
        );
        if needs_detail {
            self.step(at)?;
        }
        let (timeline, step) = self.document.timeline_at(&path)?;
        let detail = self.step.as_ref().map(|(_, detail)| detail);
        Some(match request {
            TabRequest::Sides { page, without_hidden } => {
                json!(store_vs_sent::answer(detail?, timeline, page, without_hidden))
            }
            TabRequest::Chat { page, without_hidden } => {
                json!(chat::answer(detail?, timeline, Clock::of(&self.document), page, without_hidden))
            }
            TabRequest::PromptChanges { page } => json!(self.document.prompt_changes(&path, page)?),
            TabRequest::Exchange => json!(Exchange::of(detail?)),
            TabRequest::Content => json!(detail?.content()),
            TabRequest::State { only_changes, filter, toggled } => {
                json!(tree::answer(timeline, step, only_changes, &filter, &toggled))
            }
            TabRequest::History { page, path: value } => {
                let run = path.rsplit_once('.').map_or("", |(run, _)| run);
                if self.history.as_ref().is_none_or(|known| !known.is_of(run, &value)) {
                    let rows = run_of(&self.rows, run);
                    self.history = Some(History::new(timeline, run, &value, rows));
                }
                json!(history::answer(self.history.as_ref()?, timeline, step, page))
            }
        })
    }

    /// The rows that match the query, with their places.
    fn matching(&self, typed: &str, prices: &str) -> impl Iterator<Item = (usize, &StepRow)> {
        let filter = Filter::parse(typed);
        let prices = Prices::parse(prices).ok();
        let clock = Clock::of(&self.document);
        let value = move |row: &StepRow, measure| {
            let place = || self.document.timeline_at(&row.path);
            match measure {
                Measure::Tokens => row.tokens.map(|tokens| tokens as f64),
                Measure::Took => place().and_then(|(timeline, step)| clock.took(timeline, step)),
                Measure::Cost => place().and_then(|(timeline, step)| cost(timeline, step, prices.as_ref()?)),
            }
        };
        self.rows
            .iter()
            .enumerate()
            .filter(move |(_, row)| filter.matches(row, |measure| value(row, measure)))
    }

    /// The places of the rows that match the query.
    pub(crate) fn find(&self, typed: &str, prices: &str) -> String {
        pack_numbers(self.matching(typed, prices).map(|(at, _)| at))
    }

    /// The first rows that match the query, each with its place and text.
    pub(crate) fn offer(&self, typed: &str, most: usize, prices: &str) -> Vec<FoundStep> {
        let found = self.matching(typed, prices).take(most);
        let label = |row: &StepRow| match row.tools.first() {
            Some(tool) if row.summary.is_empty() => format!("{} {}", tool.name, tool.arguments),
            _ => row.summary.clone(),
        };
        found.map(|(at, row)| FoundStep { at, summary: label(row) }).collect()
    }

    /// The place of the nearest row in one direction with a `fault`, or of the same `kind`.
    pub(crate) fn seek(&self, at: usize, forward: bool, what: &str) -> Option<usize> {
        let kind = &self.rows.get(at)?.kind;
        let wanted = |(place, row): (usize, &StepRow)| {
            let is_wanted = match what {
                "kind" => row.kind == *kind,
                "llm_call" => row.kind == what,
                _ => strip::is_fault(row),
            };
            is_wanted.then_some(place)
        };
        let rows = self.rows.iter().enumerate();
        if forward { rows.skip(at + 1).find_map(wanted) } else { rows.take(at).rev().find_map(wanted) }
    }

    /// The run inside the step of that path with its dot, or the one at the top, as a drawing; `timed` in the scale of
    /// time, if there is one.
    pub(crate) fn strip(&self, run: &str, timed: bool) -> RunStrip {
        let is_own = |row: &&StepRow| row.path.strip_prefix(run).is_some_and(|step| !step.contains('.'));
        let rows: Vec<&StepRow> = self.rows.iter().filter(is_own).collect();
        let timeline = rows.first().and_then(|row| self.document.timeline_at(&row.path));
        let clock = Clock::of(&self.document);
        let began = |row: &&StepRow| clock.began(timeline?.0, row.index);
        let began: Vec<Option<f64>> = rows.iter().map(began).collect();
        let times = strip::times(&began);
        let scale = times.as_deref().ok().filter(|_| timed);
        RunStrip {
            untimed: times.as_ref().err().copied(),
            unknown: began.iter().skip(1).filter(|began| began.is_none()).count(),
            times: scale.map(|times| pack_numbers(times.iter().map(|time| *time as usize))),
            ..strip::run_strip(&rows, scale)
        }
    }

    /// What the whole run consists of and what it took.
    pub(crate) fn totals(&self, prices: &str) -> RunTotals {
        run_totals(&self.document, &self.rows, Prices::parse(prices).ok().as_ref())
    }

    /// Where each step is in time, and where the run repeats itself.
    pub(crate) fn timeline(&self) -> Value {
        timeline(&self.document, &self.rows)
    }

    /// The line of the first error that keeps the text from being parsed, from 1.
    fn first_unread(&self) -> Option<u32> {
        // From that code on, and with a duplicate key, the data could be read.
        let is_unread = |problem: &&Problem| {
            problem.severity == Severity::Error
                && problem.code < codes::NOT_JSON
                && problem.code != codes::DUPLICATE_KEY
        };
        self.problems.iter().find(is_unread).map(|problem| problem.place.line)
    }

    /// The number of problems with a fix that is certain.
    fn certain_fixes(&self) -> usize {
        let is_certain =
            |problem: &&Problem| problem.fixes.iter().any(|fix| fix.applicability == Applicability::Safe);
        self.problems.iter().filter(is_certain).count()
    }
}

/// The place of the row of each step in the run inside the step of that path; at the top there is none.
fn run_of(rows: &[StepRow], run: &str) -> Vec<Option<usize>> {
    let mut out = Vec::new();
    for (at, row) in rows.iter().enumerate() {
        let (own, step) = row.path.rsplit_once('.').unwrap_or(("", &row.path));
        if let Some(step) = step.parse::<usize>().ok().filter(|_| own == run) {
            // Rows come in the order of their steps; an initial state may have none.
            out.resize(step, None);
            out.push(Some(at));
        }
    }
    out
}

fn problem_place(problem: &Problem, text: &str, lines: &LineIndex) -> ProblemPlace {
    let utf16 = |offset: u32| lines.utf16(text, offset as usize);
    let place = &problem.place;
    ProblemPlace {
        severity: problem.severity,
        line: place.line,
        column: place.column,
        start: utf16(place.offset),
        end: utf16(place.end_offset),
        fixes: problem.fixes.len(),
    }
}

/// The first and the last line of a row, or zeros for one that has no text.
fn places(row: &StepRow, text: &str, lines: &LineIndex) -> [usize; 2] {
    if row.span.is_empty() {
        return [0, 0];
    }
    // A block ends after its last line end; what follows it belongs to the next.
    let trailing = row.span.slice(text).chars().rev().take_while(|c| c.is_whitespace()).map(char::len_utf8);
    let last = lines.line((row.span.end as usize).saturating_sub(trailing.sum::<usize>() + 1)).max(row.line);
    [row.line as usize, last as usize]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(text: &str) -> Value {
        json!(ReadDocument::new(text).answer(&[0], &[0]))
    }

    #[test]
    fn lines_and_offsets_are_those_of_the_browser() {
        // The emoji is two UTF-16 units, and four bytes.
        let answer = answer("messages:\n  - 'user: 🙂'\n  - 'usr: Hi'\n");
        // An error in line 3 at the role: 10 + 15 units come before the line, then five of indent and quote.
        let found = ProblemPlace::unpack(answer["outline"]["found"].as_str().unwrap())[0];
        assert_eq!((found.severity, found.line, found.column, found.start), (Severity::Error, 3, 6, 30));
        assert_eq!(
            (&answer["outline"]["form"], &answer["outline"]["isReadable"]),
            (&json!("compact"), &json!(true))
        );
        assert_eq!(answer["problems"][0]["items"][0]["line"], 3);
    }

    #[test]
    fn an_error_in_what_could_be_parsed_is_no_fault_of_the_syntax() {
        let unread = |text: &str| answer(text)["outline"]["firstUnread"].clone();
        assert_eq!(unread("messages:\n  - 'user: Hi'\n  - 'assistant: Hel"), 3);
        assert_eq!(unread("name: run\nmessages: ['usr: Hi']"), Value::Null);
        assert_eq!(unread("handlers:\n  bot: {type: quue}"), Value::Null);
        assert_eq!(unread("messages: ['user: Hi', 'assistant: Hello']"), Value::Null);
    }

    #[test]
    fn what_is_no_transcript_raises_no_alarm() {
        let log =
            answer("{\"_timestamp\":\"2026-01-14T03:00:00Z\",\"type\":\"started\",\"turn_id\":\"t\"}\n");
        assert_eq!((&log["outline"]["other"], &log["outline"]["found"]), (&json!("qbit-log"), &json!("")));
        let unknown = answer("{\"pages\": [{\"title\": \"Hi\"}]}");
        assert_eq!(
            (&unknown["outline"]["unrecognized"]["keys"], &unknown["outline"]["found"]),
            (&json!(["pages"]), &json!(""))
        );
        let blank = answer("\n");
        assert_eq!(
            (&blank["outline"]["unrecognized"], &blank["outline"]["found"]),
            (&Value::Null, &json!(""))
        );
        let slip = answer("mesages:\n  - 'user: Hi'\n");
        assert_eq!(slip["problems"][0]["items"][0]["code"], "T101");
    }

    #[test]
    fn of_a_log_of_events_the_events_are_checked() {
        let event = |id: u32, parent: u32| {
            format!(
                "{{\"event_id\": \"00000000-0000-4000-8000-{id:012}\", \"type\": \"state_transition\", \"agent_id\": \"bob\", \
                 \"timestamp_ns\": 1, \"parent_event_id\": \"00000000-0000-4000-8000-{parent:012}\", \
                 \"payload_hash\": \"74234e98afe7498f\", \"payload\": null, \"from_state\": \"a\", \"to_state\": \"b\"}}\n"
            )
        };
        let log = answer(&(event(1, 2) + &event(2, 1)));
        assert_eq!(log["outline"]["other"], "event-log");
        let first_problem = log["problems"][0]["items"].as_array().unwrap();
        assert_eq!(first_problem.len(), 1, "{first_problem:?}");
        assert!(
            first_problem[0]["message"].as_str().unwrap().ends_with("depend on each other"),
            "{first_problem:?}"
        );
    }

    #[test]
    fn rows_are_found_by_what_they_have() {
        let read = ReadDocument::new(include_str!("../../../public/examples/error_handling.yaml"));
        let failed = read.find("status:failed", "");
        assert_eq!(failed.split(' ').count(), 1, "{failed}");
        assert_eq!(read.seek(0, true, "fault").unwrap().to_string(), failed);
        assert_eq!(read.seek(0, false, "fault"), None);
        let tools = read.find("kind:tool_call", "");
        let at: Vec<usize> = tools.split(' ').map(|at| at.parse().unwrap()).collect();
        assert_eq!(read.seek(at[0], true, "kind"), at.get(1).copied());
        assert_eq!(read.offer("status:failed", 5, "").len(), 1);
        assert_eq!((read.find("nothing like it", "").as_str(), read.offer("", 2, "").len()), ("", 2));
    }

    #[test]
    fn the_slowest_and_the_most_expensive_steps_are_found_by_the_queries_of_the_summary() {
        let turns: String = (1..=30)
            .map(|at| {
                format!(
                    "  - {{turn: {at}, type: llm_call, timestamp: '2026-01-01T10:{at:02}:00Z', duration_ms: {}, \
                     llm_response: {{content: a, usage: {{prompt_tokens: {at}, completion_tokens: 0}}}}}}\n",
                    at * 1_010
                )
            })
            .collect();
        let read = ReadDocument::new(&format!("agent_config: {{model: gpt-4o}}\nexecution:\n{turns}"));
        let prices = r#"{"date": "2026-01-02", "currency": "USD", "per": 1000000, "models": {"gpt-4o": {"input": 3, "output": 0}}}"#;
        let totals = read.totals(prices);
        assert_eq!(totals.slow.as_deref(), Some("took>=28280ms"));
        assert_eq!(totals.expensive.as_deref(), Some("cost>=0.000084"));
        let three = "28 29 30";
        assert_eq!(read.find("took>=28280ms", ""), three);
        assert_eq!(read.find("cost>=0.000084", prices), three);
        assert_eq!(read.offer("cost>=0.000084", 9, prices).len(), 3);
        assert_eq!((read.find("cost>0", "").as_str(), read.find("tokens>=28", "").as_str()), ("", three));
    }

    #[test]
    fn rows_come_in_pieces_with_an_outline_of_them_all() {
        let items: String =
            (0..300).map(|at| format!("  - 'user: number {at}'\n  - 'assistant: Yes'\n")).collect();
        let mut read = ReadDocument::new(&format!("messages:\n{items}"));
        let answer = read.answer(&[256], &[]);
        let links: Vec<&str> = answer.outline.links.split(' ').collect();
        let lines: Vec<&str> = answer.outline.lines.split(' ').collect();
        assert_eq!((links[0], lines.len()), ("t0", links.len() * 2));
        let last = read.piece("rows", 512);
        assert_eq!(last.as_array().unwrap().len(), links.len() - 512);
        let [piece] = answer.rows.as_slice() else { panic!("{:?}", answer.rows) };
        assert_eq!((piece.start, piece.items.as_array().unwrap().len()), (256, 256));
        assert_eq!(piece.items[0]["step"]["path"], "256");
        assert_eq!(read.piece("rows", 4096), json!([]));
        assert_eq!(read.step(300).unwrap().row.path, "300");
        assert!(read.step(9_000).is_none());
    }

    #[test]
    fn the_request_has_what_was_sent_and_not_what_is_stored() {
        let mut read = ReadDocument::new(include_str!("../../../public/examples/context_management.yaml"));
        let answer = read.look(4, TabRequest::Exchange).unwrap();
        let request: Value = serde_json::from_str(answer["request"].as_str().unwrap()).unwrap();
        assert_eq!((&request["model"], &request["temperature"]), (&json!("gpt-4"), &json!(0)));
        let messages = request["messages"].as_array().unwrap();
        assert_eq!(messages.len(), 4);
        assert_eq!(messages[1]["tool_calls"][0]["function"]["arguments"], r#"{"quarter": 3}"#);
        assert_eq!(messages[2]["tool_call_id"], "call_001");
        assert!(messages[2]["content"].as_str().unwrap().contains("(shortened)"));
        let response: Value = serde_json::from_str(answer["response"].as_str().unwrap()).unwrap();
        assert_eq!(response["usage"]["total_tokens"], 103);
        let tool = read.look(2, TabRequest::Exchange).unwrap();
        assert_eq!(tool["kind"], "tool");
        assert!(tool["response"].as_str().unwrap().contains("Third quarter"));
        assert_eq!(read.look(3, TabRequest::Exchange).unwrap()["request"], Value::Null);
    }
}
