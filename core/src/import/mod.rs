//! Files of other programs, made into transcripts. [`formats`] lists the formats; each is a folder.
//!
//! Nothing is lost: what a run has no place for is kept in its `metadata.recording`, what could not be read
//! is kept there as text, and a [`Report`] lists what was made of each entry. A broken entry costs no more
//! than itself.

mod agentloom;
mod ai_sdk;
mod aider;
mod aimock;
mod antigravity;
mod atif;
mod broken;
mod cassette;
mod chatgpt;
mod chats;
mod claude;
mod claude_ai;
mod cline;
mod codex;
mod continue_dev;
mod conversation;
mod copilot_cli;
mod crewai;
mod cursor;
mod detect;
mod factory_droid;
mod files;
mod formats;
mod gemini_cli;
mod google_adk;
mod grok;
mod iflow;
mod imported_response;
mod indented;
mod inspect;
mod items;
mod keys;
mod kimi;
mod kiro;
mod langgraph;
mod langsmith;
mod letta;
mod managed_agents;
mod mini_swe_agent;
mod notice_limit;
mod numbers;
mod opencode;
mod openhands;
mod otel;
mod pi;
mod preview;
mod pydantic_ai;
mod qbit;
mod qwen_code;
mod records;
mod repair;
mod repaired;
mod report;
mod run_builder;
mod runs;
mod secrets;
mod session;
mod session_files;
mod session_size;
mod sharegpt;
mod smolagents;
mod specstory;
mod steps;
mod stores;
mod swe_agent;
mod tau;
mod template_text;
mod threads;
mod traces;
mod unanswered;
mod unmapped;
mod values;
mod vscode_copilot;

pub use agentloom::{
    Drift, Flavour, Pairing, Recording, drift, handlers, prompt_hash, prompt_hash_of_json,
    prompt_hash_of_messages, recording,
};
pub use detect::{Found, Nearest, detect, detect_broken};
pub(crate) use detect::{detect_document, nearest, root_by_lines};
pub use files::LogFile;
pub use formats::{
    Archive, Format, Grouping, format_named, format_of_archive, format_of_kind, format_of_path, formats,
    leading, plurals, read, read_as, repair_as, session_of,
};
pub(crate) use formats::{derived, format_of_empty, repairs};
pub use imported_response::ImportedResponse;
pub(crate) use numbers::count_lossy;
pub use repaired::{RepairNote, RepairedLog};
pub use report::{FileReport, Imported, KeptEntry, LostLines, Report};
pub use runs::{Extras, Refusal, Request, Runs};
pub(crate) use session_files::{choose_files, sizes_of_files};
pub use session_size::SessionSize;
pub(crate) use stores::store_kind;
pub use stores::{is_store, store_text};
