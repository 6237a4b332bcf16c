//! Logs of events and their replays, which live on the Rust side.

use serde::Serialize;
use serde_json::json;
use transcript_core::diagnostic::render::TerminalStyle;
use transcript_core::events;
use transcript_core::order::OrderKind;
use transcript_core::verify::{Ask, Outcome, Replay, compare};
use transcript_core::view::EventLog;
use wasm_bindgen::prelude::{JsError, wasm_bindgen};

fn text(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

fn kind(name: &str) -> Result<OrderKind, JsError> {
    OrderKind::new(name)
        .ok_or_else(|| JsError::new(&format!("there is no order `{name}`; there are kahn and layers")))
}

/// An opened log.
#[wasm_bindgen]
#[derive(Debug)]
pub struct EventLogHandle {
    log: EventLog,
    file: String,
}

#[wasm_bindgen]
impl EventLogHandle {
    /// Opens the bytes of a file of at most `limit` bytes, or of as many as usual.
    #[must_use]
    pub fn open(bytes: &[u8], file: &str, limit: Option<u32>) -> Self {
        Self { log: EventLog::open_bytes(bytes, limit.map(|limit| limit as usize)), file: file.to_owned() }
    }

    /// Whether it has no errors.
    #[must_use]
    pub fn ok(&self) -> bool {
        self.log.is_ok()
    }

    /// What is wrong, as a JSON list.
    #[must_use]
    pub fn diagnostics(&self) -> String {
        text(&self.log.problems(&self.file))
    }

    /// The same for a terminal.
    #[must_use]
    pub fn render(&self, color: bool) -> String {
        self.log.render(&self.file, if color { TerminalStyle::Ansi } else { TerminalStyle::Plain })
    }

    /// What the log is, as a JSON map.
    #[must_use]
    pub fn card(&self) -> String {
        text(&self.log.card())
    }

    /// The ids in an order, one a line.
    ///
    /// # Errors
    /// When there is no such order.
    pub fn order(&self, order: &str) -> Result<String, JsError> {
        Ok(self.log.order(kind(order)?).join("\n"))
    }

    /// The ids in layers, as a JSON list of lists.
    #[must_use]
    pub fn layers(&self) -> String {
        text(&self.log.layers())
    }

    /// Rows of an order, as a JSON list.
    ///
    /// # Errors
    /// When there is no such order.
    pub fn rows(&self, order: &str, from: usize, count: usize) -> Result<String, JsError> {
        Ok(text(&self.log.rows(kind(order)?, from, count)))
    }

    /// An event as JSON.
    #[must_use]
    pub fn event(&self, id: &str) -> Option<String> {
        self.log.event(id).map(|event| event.to_string())
    }

    /// The ids of what an event followed from, as a JSON list.
    #[must_use]
    pub fn past(&self, id: &str) -> Option<String> {
        self.log.past(id).map(|ids| text(&ids))
    }

    /// The ids of what followed from an event, as a JSON list.
    #[must_use]
    pub fn future(&self, id: &str) -> Option<String> {
        self.log.future(id).map(|ids| text(&ids))
    }

    /// Why the event at a place, from 1, stands there, as a JSON map.
    ///
    /// # Errors
    /// When there is no such order.
    pub fn explain(&self, order: &str, place: usize) -> Result<Option<String>, JsError> {
        Ok(self.log.explain(kind(order)?, place).map(|tie| text(&tie)))
    }

    /// The tools that are called, as a JSON list.
    #[must_use]
    pub fn tools(&self) -> String {
        text(&self.log.tools())
    }

    /// The text with its events in an order that `seed` decides.
    #[must_use]
    pub fn shuffled(&self, seed: u32) -> String {
        self.log.shuffled(u64::from(seed))
    }

    /// Begins a replay; `live`, a JSON list, names the tools that the host runs.
    ///
    /// # Errors
    /// When the log has errors, or there is no such order.
    pub fn replay(&self, order: &str, live: &str) -> Result<EventReplayHandle, JsError> {
        let live: Vec<String> = serde_json::from_str(live)?;
        let replay = self.log.replay(kind(order)?, &live);
        let replay = replay.ok_or_else(|| JsError::new("a log with errors cannot be replayed"))?;
        Ok(EventReplayHandle { replay })
    }
}

/// A replay of a log.
#[wasm_bindgen]
#[derive(Debug)]
pub struct EventReplayHandle {
    replay: Replay,
}

#[wasm_bindgen]
impl EventReplayHandle {
    /// Goes on to the next tool that the host is to run, `{event, agent, tool, call, arguments}` as JSON; nothing at the
    /// end.
    pub fn advance(&mut self) -> Option<String> {
        match self.replay.advance() {
            Ask::Done => None,
            Ask::Tool { event, agent, tool, call, arguments } => {
                let ask = json!({ "event": event, "agent": agent, "tool": tool, "call": call, "arguments": arguments });
                Some(ask.to_string())
            }
        }
    }

    /// Takes what came of the tool, `{result}` or `{error}`.
    ///
    /// # Errors
    /// When it is no JSON.
    pub fn answer(&mut self, outcome: &str) -> Result<(), JsError> {
        let outcome = Outcome::read(outcome).map_err(|fault| JsError::new(fault.why))?;
        self.replay.answer(outcome);
        Ok(())
    }

    /// Takes the trace so far out.
    #[wasm_bindgen(js_name = takeTrace)]
    pub fn take_trace(&mut self) -> String {
        self.replay.take_trace()
    }

    /// What came of it, as a JSON map.
    #[must_use]
    pub fn summary(&self) -> String {
        text(self.replay.summary())
    }
}

/// Where two traces part, as a JSON map; nothing when they are the same.
#[wasm_bindgen(js_name = compareTraces)]
#[must_use]
pub fn compare_traces(first: &str, second: &str) -> Option<String> {
    compare(first, second).map(|found| text(&found))
}

/// The hash of a payload in JSON.
///
/// # Errors
/// When it is no JSON.
#[wasm_bindgen(js_name = payloadHash)]
pub fn payload_hash(json: &str) -> Result<String, JsError> {
    events::payload_hash(json).map(|hash| hash.to_string()).map_err(|fault| JsError::new(fault.why))
}

/// The line of an event in JSON, line break included.
///
/// # Errors
/// When it is no event.
#[wasm_bindgen(js_name = eventLine)]
pub fn event_line(json: &str) -> Result<String, JsError> {
    events::event_line(json).map_err(|problem| JsError::new(&problem.0))
}
