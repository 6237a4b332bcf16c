//! Events that do not fit together.

use super::cycle::{Cycle, cycles};
use super::graph::named_at;
use super::{Graph, kahn};
use crate::diagnostic::{Diagnostic, Severity, codes};
use crate::events::{EventKind, Findings, Log, Shape};
use crate::text::Span;

/// How many events of a cycle are marked; the message has the total.
const SHOWN: usize = 200;

/// Checks a log as a whole, in addition to [`Log::findings`]: duplicate ids, missing parents, cycles, answers
/// without a task, returns without a call, and content that the recording does not have. Returns the graph
/// and the default order, which it needs.
///
/// An answer needs a task among the events that it followed from; a return needs a call with its id there. In
/// total, the search back takes only a few steps for each event; what is not found by then is accepted, with
/// a report.
///
/// ```
/// use transcript_core::events::{Findings, Log};
/// use transcript_core::order::check;
/// let mut found = Findings::default();
/// let event = |id: u32, parent: u32| format!(
///     "{{\"event_id\": \"00000000-0000-4000-8000-{id:012}\", \"parent_event_id\": \"00000000-0000-4000-8000-{parent:012}\"}}\n"
/// );
/// let log = Log::read(event(1, 2) + &event(2, 1));
/// let (_, order) = check(&log, &mut found);
/// assert!(order.is_empty());
/// assert!(found.diagnostics()[0].message.ends_with("depend on each other"));
/// ```
#[must_use]
pub fn check(log: &Log, found: &mut Findings) -> (Graph, Vec<u32>) {
    let graph = Graph::checked(log, found);
    let order = kahn(&graph);
    for Cycle(events) in cycles(&graph, &order) {
        found.add(codes::EVENT_CYCLE, Severity::Error, || cycle(log, &events));
    }
    let steps = graph.len() * 8 + 10_000;
    Search { log, graph: &graph, seen: vec![0; graph.len()], round: 0, steps, ended: None }.check(found);
    (graph, order)
}

fn cycle(log: &Log, events: &[u32]) -> Diagnostic {
    let id = |at: usize| {
        let event = events.get(at % events.len().max(1)).and_then(|event| log.events().get(*event as usize));
        event.and_then(|event| event.id).unwrap_or_default()
    };
    let message = match events.len() {
        1 => format!("the event `{}` depends on itself", id(0)),
        2 => format!("the events `{}` and `{}` depend on each other", id(0), id(1)),
        3 => format!("the events `{}`, `{}` and `{}` depend on each other", id(0), id(1), id(2)),
        count => {
            format!("the event `{}` depends on `{}`, in a cycle of {count} events", id(0), id(1))
        }
    };
    // Where the event at a place of the cycle names the next.
    let place = |event: u32, at: usize| named_at(log, event, id(at + 1));
    let first = events.first().map_or(Span::default(), |event| place(*event, 0));
    let mut diagnostic = Diagnostic::new(codes::EVENT_CYCLE, Severity::Error, first, message)
        .help("fix the parent of one of them");
    for (at, event) in events.iter().enumerate().skip(1).take(SHOWN) {
        diagnostic =
            diagnostic.related(place(*event, at), format!("`{}` depends on `{}`", id(at), id(at + 1)));
    }
    diagnostic
}

/// The search for the required ancestors of an event.
struct Search<'l> {
    log: &'l Log,
    graph: &'l Graph,
    /// The round in which an event was last reached.
    seen: Vec<u32>,
    round: u32,
    /// How many steps are left for all rounds.
    steps: usize,
    /// The first event without enough steps.
    ended: Option<u32>,
}

impl Search<'_> {
    fn check(&mut self, found: &mut Findings) {
        for (event, at) in self.log.events().iter().zip(0_u32..) {
            match event.kind {
                EventKind::ResponseSent => {
                    let agent = event.agent;
                    let name = self.log.agent(event);
                    let has_task = self.is_after(at, |log, other, place| match other.kind {
                        EventKind::TaskReceived => other.agent == agent,
                        EventKind::TaskSent => {
                            log.fields(place).text("recipient_agent_id").is_some_and(|to| to == name)
                        }
                        _ => false,
                    });
                    if !has_task {
                        let span = self.head(at);
                        found.add(codes::ANSWER_WITHOUT_TASK, Severity::Warning, || {
                            let message = format!("`{name}` responds without a task");
                            Diagnostic::new(codes::ANSWER_WITHOUT_TASK, Severity::Warning, span, message)
                        });
                    }
                    self.payload(at, found);
                }
                EventKind::ToolReturn => {
                    let Some(call) = self.log.fields(at as usize).call_id else { continue };
                    let has_call = self.is_after(at, |log, other, place| {
                        let id = log.fields(place).call_id;
                        other.kind == EventKind::ToolCall && id.is_some_and(|id| id.text == call.text)
                    });
                    if !has_call {
                        found.add(codes::RETURN_WITHOUT_CALL, Severity::Warning, || {
                            let message =
                                format!("there is no call {} before this return", quoted(call.text));
                            Diagnostic::new(
                                codes::RETURN_WITHOUT_CALL,
                                Severity::Warning,
                                call.span(),
                                message,
                            )
                        });
                    }
                }
                _ => {}
            }
        }
        self.report_end(found);
    }

    /// Reports that the search was ended, and where: from there on nothing that is missing was found.
    fn report_end(&self, found: &mut Findings) {
        let Some(event) = self.ended else { return };
        let is_answer =
            self.log.events().get(event as usize).is_some_and(|event| event.kind == EventKind::ResponseSent);
        let code = if is_answer { codes::ANSWER_WITHOUT_TASK } else { codes::RETURN_WITHOUT_CALL };
        found.add(code, Severity::Info, || {
            let message = "the search for tasks and calls took too long and stopped here".to_owned();
            Diagnostic::new(code, Severity::Info, self.head(event), message)
                .help("this event and those after it are not checked")
        });
    }

    /// The value of `type`, or the bracket with which the event begins.
    fn head(&self, event: u32) -> Span {
        let fields = self.log.fields(event as usize);
        match fields.kind.or(fields.event_type) {
            Some(kind) => kind.span(),
            None => self.log.events().get(event as usize).map(|event| event.span).unwrap_or_default(),
        }
    }

    /// An answer is played from the recording, which must contain it.
    fn payload(&self, event: u32, found: &mut Findings) {
        let fields = self.log.fields(event as usize);
        let Some(name) = fields.payload_ref.filter(|_| fields.payload.is_none()) else { return };
        let Some(text) = name.as_text().filter(|_| self.log.shape() == Shape::Recording) else { return };
        if self.log.answer(&text).is_none() {
            found.add(codes::UNKNOWN_PAYLOAD, Severity::Warning, || {
                let message = format!("the recording has no `{text}`");
                Diagnostic::new(codes::UNKNOWN_PAYLOAD, Severity::Warning, name.span(), message)
                    .help("the replay has no response here")
            });
        }
    }

    /// Whether an event that `fits` is an ancestor of `event`; true when the search would take too long.
    fn is_after(&mut self, event: u32, fits: impl Fn(&Log, &crate::events::Event, usize) -> bool) -> bool {
        self.round += 1;
        let mut next: Vec<u32> = self.graph.parents(event).to_vec();
        while let Some(other) = next.pop() {
            let Some(seen) = self.seen.get_mut(other as usize).filter(|seen| **seen != self.round) else {
                continue;
            };
            *seen = self.round;
            let Some(steps) = self.steps.checked_sub(1) else {
                self.ended.get_or_insert(event);
                return true;
            };
            self.steps = steps;
            let Some(found) = self.log.events().get(other as usize) else { continue };
            if fits(self.log, found, other as usize) {
                return true;
            }
            next.extend_from_slice(self.graph.parents(other));
        }
        false
    }
}

/// The text of a JSON scalar between backticks.
fn quoted(json: &str) -> String {
    format!("`{}`", json.trim_matches('"'))
}
