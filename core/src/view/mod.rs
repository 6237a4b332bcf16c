//! What a person is shown: plain data in the user's words, the same for page, package and command line.
//!
//! Everything here can be written as JSON. Field names are camelCase there.

mod answers;
mod bundle;
mod cards;
mod check;
mod compaction;
mod compared_text;
mod comparison;
mod completion;
mod coverage;
mod detail;
mod determinism;
mod difference;
mod edits;
mod events;
mod exchange;
mod export;
mod fixed;
mod format;
mod formats;
mod generation;
mod handler_text;
mod handling;
mod imports;
mod inspector;
mod lanes;
mod log_answer;
mod option_values;
mod outcomes;
mod overview;
mod packed;
mod played;
mod prices;
mod problems;
mod prompt_changes;
pub mod question;
mod read_entry;
mod record;
mod redaction;
mod repair;
mod rerun_request;
mod rows;
mod rules;
mod simulate;
mod simulated;
mod simulation_problem;
mod step;
mod step_content;
mod test_draft;
mod travel;
mod understood;

pub use crate::text::Place;
pub use answers::{
    DocumentOutline, FoundStep, InnerRun, ListPiece, ListedProblem, ListedStep, MessagePage, PagedLlmLayer,
    ProblemLine, ReadAnswer, Refusal, RelatedLine, RunStrip, SentAndStored, StepAnswer, TextEdit, Untimed,
    WithheldMessage,
};
pub use bundle::{Bundle, BundledFile};
pub use cards::{Card, CardList};
pub use check::CheckView;
pub use compaction::{Compaction, LossView};
pub use compared_text::compared_text;
pub use comparison::{
    Comparison, ComparisonRow, ComparisonSide, RowKind, UnreadableDocument, UnreadableError,
};
pub use completion::{CompletionView, HoverView, completions, hover};
pub use coverage::{CoverageView, UnusedView, UsedDocument, coverage, unknown_use};
pub use determinism::{DeterminismReport, FirstDifference, StepPair, check_determinism};
pub use difference::{ChangeView, Difference, difference, difference_options, difference_text};
pub use edits::{EditAnswer, EditProblem, edit};
pub use events::{EVENT_LOG_BYTES, EventLog, EventLogAgent, EventLogOverview, EventView, PairView, TieView};
pub use export::ExportView;
pub use fixed::{AppliedFix, FixedText, fix};
pub use format::{Formatted, formatted};
pub use formats::{FormatView, formats};
pub use generation::{
    AssessedResponse, AssessmentStatus, GenerationState, GenerationView, NextPrompt, PromptMessage,
    RESPONSE_FILE, SelfReplay, assess_response, generation_prompt, generation_repair,
};
pub use handling::{
    AgentHandler, AnswerLine, HandlerRow, HandlerView, HandlersView, TransitionView, Utf16Range, handlers,
};
pub use imports::{
    ImportOptions, ImportProblem, ImportView, ImportedFile, ImportedSessions, import_log, import_sessions,
};
pub use inspector::{
    ChatCall, ChatFacts, ChatMessage, ComparedPart, ComparedPartKind, Exchange, ExchangeKind, HistoryEntry,
    HistoryFacts, PageRequest, PromptChange, PromptChangeKind, PromptFacts, SideFacts, SideMode, SideRow,
    SideState, Spark, StateTree, StateTreeRow, StateValueKind, TabList, TabRequest,
};
pub use lanes::{EventAbout, EventCone, EventName, LanesView};
pub use log_answer::{LogAnswer, OpenedLog, ReadLog};
pub use outcomes::{ListedEvidence, ListedOutcome, OutcomeList};
pub use overview::{Overview, Status, StepRow, ToolChip};
pub use packed::{ProblemPlace, pack_numbers, unpack_numbers};
pub use played::{PlayMode, PlayResult, PlayStatus, PlayedStep, play_document};
pub use prices::Prices;
pub use read_entry::{ReadEntry, ReadMessage, ReadTool, RunCost, RunTotals};
pub use record::{
    FinishedRecording, JournalRecording, Observed, RecordedEvents, RecordedFile, Recording, RecoveredJournal,
};
pub use redaction::{RedactedItem, Redaction, StaleBlobView, redaction, redaction_options};
pub use repair::repair_log;
pub use rerun_request::{RerunRequest, RerunRequestKind};
pub use rules::{Rules, rules};
pub use simulate::{
    SimulationProblem, StartedSimulation, simulation, simulation_call, simulation_problems_text,
    simulation_with, start_conversation,
};
pub use simulated::{ListedSimulationProblem, ProgressKind, SimulationProgress};
pub use step::{
    Change, ChangeKind, LlmLayer, MessageFlow, MessageView, SentView, StateLayer, StepDetail, ToolView,
};
pub use test_draft::{SuggestedAssertion, TestDraft};
pub use travel::{BetweenSteps, StoredBetween, TravelAnswer, TravelProblem, VisibilityBetween};
