//! Files of other programs, made into transcripts: the session logs of qbit, the recordings of AgentLoom, recorded
//! HTTP, the traces of the OpenAI Agents SDK, the fixtures of aimock, the sessions of Claude Code and Codex, chats of
//! OpenAI and Anthropic, trajectories of harbor, messages and devtools of the AI SDK, spans of OpenTelemetry, logs of Inspect AI, runs
//! of LangSmith.
//!
//! Nothing is lost on the way: what a run has no place for stands in its `metadata.recording`, what could not be
//! read stands there as text, and a [`Report`] tells what was made of each entry. A broken entry costs no more
//! than itself.

mod agentloom;
mod ai_sdk;
mod atif;
mod broken;
mod cassette;
mod chats;
mod claude;
mod codex;
mod conversation;
mod detect;
mod files;
mod fixtures;
mod inspect;
mod items;
mod keys;
mod kinds;
mod langsmith;
mod mend;
mod numbers;
mod otel;
mod preview;
mod qbit;
mod records;
mod report;
mod run;
mod runs;
mod secrets;
mod steps;
mod template_text;
mod threads;
mod traces;
mod unanswered;
mod values;

pub use agentloom::{
    Drift, Flavour, Pairing, Recording, Row, drift, handlers, prompt_hash, prompt_hash_of_json,
    prompt_hash_of_messages, recording, result_of_workflow,
};
pub use ai_sdk::devtools::ai_sdk_devtools;
pub use ai_sdk::{AiSdkChats, ai_sdk_chats};
pub use atif::{Trajectories, trajectories};
pub use cassette::{HttpRecording, http_recording};
pub use chats::{Chats, chats};
pub(crate) use claude::is_main as is_session_of_claude;
pub use claude::{ClaudeSession, claude_code};
pub use codex::{Rollouts, codex};
pub(crate) use detect::is_named_as_log;
pub(crate) use detect::nearest;
pub use detect::{Format, Found, Nearest, detect, detect_broken};
pub(crate) use files::is_of_agent;
pub use files::{LogFile, session_of};
pub use fixtures::{Fixtures, fixtures};
pub use inspect::{Samples, inspect_log};
pub use langsmith::langsmith_runs;
pub(crate) use numbers::count_lossy;
pub use otel::otel_spans;
pub(crate) use qbit::is_summary;
pub use qbit::{RepairNote, RepairedLog, qbit, repair_qbit, summary};
pub use report::{FileReport, Imported, KeptEntry, LostLines, Report};
pub use runs::Runs;
pub use traces::{Traces, traces};
