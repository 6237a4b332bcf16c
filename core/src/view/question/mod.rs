//! The questions of the page to the worker that writes, changes, compares and simulates, each with the type of its answer.
//!
//! A question is sent as its name and its options in JSON. The engine (`wasm-pkg`) has readers of options of its own, since programs
//! ask it, too, and get errors that name the option. A test of the page asks it every question, and decodes the answer.
//!
//! Options are written with [`json`](crate::text::json): a derived writer of each type would be more code than its few entries.

mod document;
mod events;
mod generate;
mod rerun;
mod share;
mod simulation;

pub use document::{Check, Compact, Compare, CompareTexts, Edit, ListCards, ListHandlers, Play, RunTwice};
pub use events::{
    AboutEvent, ConeOfEvent, EventFingerprint, EventLanes, EventRows, FindEvent, ShuffleEvents, StartEvents,
};
pub use generate::{AssessResponse, GeneratePrompt, GenerateRepair, GenerationOptions, ReadExchange};
pub use rerun::{FinishRerun, RerunAnswer, RerunNeeds, StartRerun};
pub use share::{BundleRuns, DraftTest, Export, ExportedText, Redact, RedactedText};
pub use simulation::{
    RunSimulation, SimulationAnswer, SimulationProblems, SimulationReport, SimulationText, StartSimulation,
};

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

/// A question to the worker.
pub trait Question {
    /// The answer.
    type Answer: DeserializeOwned;

    /// The name that the engine knows it by.
    fn name(&self) -> &'static str;

    /// The options of an operation, or the argument of a call.
    fn options(&self) -> Value {
        Value::Object(Map::new())
    }
}

/// A question about one text or two.
pub trait Operation: Question {
    /// The text.
    fn text(&self) -> &str;

    /// The second text.
    fn other(&self) -> &str {
        ""
    }
}

/// What the worker makes of a text and keeps for calls.
pub trait Start {
    /// The name that the engine knows it by.
    const KIND: &'static str;

    /// Its options.
    fn options(&self) -> Value {
        Value::Object(Map::new())
    }
}

/// A question about what was made with `S`.
pub trait CallOf<S: Start>: Question {}
