//! English.

pub(crate) const PRODUCT: &str = "Transcript Workbench";
pub(crate) const HEADLINE: &str = "Write, check and replay an agent run. Nothing leaves this page.";
pub(crate) const INTRO: &str = "Open a transcript, see its problems where they are, and step through what the agent knew, what the model was sent and what it answered.";

// Gallery.
pub(crate) const DOOR_EXAMPLE: &str = "Open an example";
pub(crate) const DOOR_EXAMPLE_HINT: &str = "Seven short runs, one lesson each";
pub(crate) const DOOR_FILE: &str = "Open a file";
pub(crate) const DOOR_FILE_HINT: &str = "Or drop it anywhere, or paste text here";
pub(crate) const DOOR_FOLDER: &str = "Open a folder";
pub(crate) const DOOR_FOLDER_HINT: &str =
    "of a qbit session; or drop the folder, a zip of it, or an AgentLoom recording with its calls and result";
pub(crate) const DOOR_BLANK: &str = "Start blank";
pub(crate) const DOOR_BLANK_HINT: &str = "Write a run by hand, in a few lines";
pub(crate) const RECENT: &str = "Recent";
pub(crate) const RECENT_HINT: &str = "Saved on this device as you type";
pub(crate) const EXAMPLES: &str = "Examples";
pub(crate) const STEPS_ONE: &str = "{n} step";
pub(crate) const STEPS_MANY: &str = "{n} steps";
pub(crate) const MESSAGES_ONE: &str = "{n} message";
pub(crate) const MESSAGES_MANY: &str = "{n} messages";
pub(crate) const DROP_HERE: &str = "Drop a file, a folder or a zip to open it";
pub(crate) const UNTITLED: &str = "untitled.yaml";
pub(crate) const PASTED: &str = "pasted.yaml";
pub(crate) const REMOVE: &str = "Remove {name} from this device";
pub(crate) const REMOVE_ASK: &str = "Remove {name} from this device? Its text is kept nowhere else.";
pub(crate) const REMOVE_YES: &str = "Remove";
pub(crate) const CANCEL: &str = "Cancel";
pub(crate) const CLOSE: &str = "Close";

// Bar.
pub(crate) const PANES: &str = "Panes";
pub(crate) const TO_GALLERY: &str = "Gallery";
pub(crate) const OPEN: &str = "Open a file";
pub(crate) const DOWNLOAD: &str = "Download (Ctrl+S)";
pub(crate) const SAVE: &str = "Save to the file (Ctrl+S)";
pub(crate) const SHORTCUTS: &str = "Keyboard shortcuts (?)";
pub(crate) const THEME: &str = "Theme: {name}";
pub(crate) const THEME_SYSTEM: &str = "as the system";
pub(crate) const THEME_LIGHT: &str = "light";
pub(crate) const THEME_DARK: &str = "dark";
pub(crate) const VALID: &str = "Valid";
pub(crate) const ERRORS_ONE: &str = "{n} error";
pub(crate) const ERRORS_MANY: &str = "{n} errors";
pub(crate) const WARNINGS_ONE: &str = "{n} warning";
pub(crate) const WARNINGS_MANY: &str = "{n} warnings";
pub(crate) const EXAMPLE: &str = "Example";
pub(crate) const SAVING: &str = "Saving…";
pub(crate) const SAVED: &str = "Saved on this device";
pub(crate) const CHANGED_ELSEWHERE: &str =
    "This document was changed in another tab. What you change here is kept as a copy of its own.";
pub(crate) const NOT_SAVED: &str = "Not saved";
pub(crate) const NOT_SAVED_BANNER: &str = "Not saved: {reason}. Download the document to keep it.";
pub(crate) const DOWNLOAD_NOW: &str = "Download";

// The file of `transcript open`.
pub(crate) const FILE_SAME: &str = "As in the file";
pub(crate) const FILE_SAVED: &str = "Saved to the file";
pub(crate) const FILE_EDITED: &str = "Not yet in the file";
pub(crate) const FILE_BEHIND: &str = "The file has changed too";
pub(crate) const FILE_READ_ONLY: &str = "Read-only";
pub(crate) const FILE_GONE: &str = "`transcript open` has ended";
pub(crate) const SERVER_GONE: &str = "`transcript open` has ended, and writes the file no more";
pub(crate) const NO_SERVED: &str = "The file cannot be opened: {reason}.";
pub(crate) const COPY_OF: &str = "copy of {name}";
pub(crate) const CONFLICT: &str = "{name} has changed";
pub(crate) const CONFLICT_REASON: &str =
    "Something else has written the file since it was opened here, so that your text was not saved.";
pub(crate) const CONFLICT_REMOVED: &str =
    "The file was removed since it was opened here, so that your text was not saved.";
pub(crate) const CONFLICT_KEPT: &str =
    "Whichever you choose, the other version is kept on this device and stands under Recent in the gallery.";
pub(crate) const CONFLICT_TAKE: &str = "Take the version of the file";
pub(crate) const CONFLICT_OVERWRITE: &str = "Write mine to the file";

// Opening.
pub(crate) const LOADING: &str = "Opening…";
pub(crate) const NO_EXAMPLE: &str = "There is no example named {name}.";
pub(crate) const NO_LOCAL: &str = "This document is not on this device. A link to a local document works only in the browser that holds it.";
pub(crate) const NO_SUCH_SOURCE: &str =
    "This link names a kind of document that this version of the workbench cannot open: {name}.";
pub(crate) const NO_SOURCE: &str = "This link names no document.";
pub(crate) const STORE_UNREADABLE: &str = "The documents saved on this device cannot be read: {reason}.";
pub(crate) const BACK_TO_GALLERY: &str = "Back to the gallery";
pub(crate) const NOT_OPENED: &str = "{name} was not opened";
pub(crate) const NOT_OPENED_SIZE: &str = "The file has {n} bytes.";
pub(crate) const NOTHING_LOST: &str = "The document that was open is unchanged.";
pub(crate) const NOT_READ: &str = "the browser could not read the file";
pub(crate) const NO_DOWNLOAD: &str = "the browser refused the download";

// Logs of other programs.
pub(crate) const LOGS_NAME: &str = "What you brought";
pub(crate) const LOGS_READING: &str = "Reading the logs…";
pub(crate) const LOGS_QBIT: &str = "This is the log of a qbit session, not a transcript.";
pub(crate) const LOGS_HTTP: &str = "This is recorded HTTP, not a transcript.";
pub(crate) const LOGS_TRACES: &str = "This is a log of traces of the OpenAI Agents SDK, not a transcript.";
pub(crate) const LOGS_FIXTURES: &str =
    "These are fixtures of aimock. `transcript convert FILE --to handlers` makes handlers of them.";
pub(crate) const LOGS_AGENTLOOM: &str = "This is a recording of AgentLoom, not a transcript.";
pub(crate) const LOGS_BESIDE: &str =
    "This belongs to a recording of AgentLoom: drop both files at once to have a transcript of them.";
pub(crate) const LOGS_EVENTS: &str =
    "This is a log of the events of several agents, not a transcript of a run.";
pub(crate) const LOGS_EVENTS_HELP: &str = "On the command line, `transcript order FILE` prints their ids in this order, and `transcript verify-determinism FILE` replays them several times and compares.";
pub(crate) const LOGS_MAKE: &str = "Open as a transcript";
pub(crate) const LOGS_ORDER: &str = "See them in order";
pub(crate) const LOGS_REPORT: &str = "What was read";
pub(crate) const LOGS_CHOOSE: &str = "Choose a session";
pub(crate) const LOGS_ORIGINAL: &str = "Show the original";
pub(crate) const LOGS_TEXT: &str = "Open the text of {name}";
pub(crate) const LOGS_LEFT_OUT: &str = "To know";
pub(crate) const LOGS_SESSIONS: &str = "Sessions";
pub(crate) const LOGS_TABLE: &str = "Events in the order of what followed from what";
pub(crate) const LOGS_NOT_LOADED: &str = "the part of the workbench that reads logs could not be loaded; it is fetched when the first log comes, which needs the network once";

// Source.
pub(crate) const SOURCE: &str = "Source";
pub(crate) const SOURCE_LABEL: &str = "Source text of the transcript";
pub(crate) const SOURCE_HINT: &str = "name: weather_query\n\nmessages:\n  - \"system: You are helpful\"\n  - \"user: What's the weather?\"\n  - \"assistant:call weather(location='NYC')\"\n  - \"tool:weather: {temp: 72, condition: sunny}\"\n  - \"assistant: It's 72°F and sunny!\"";
pub(crate) const FORM_FULL: &str = "Full transcript";
pub(crate) const FORM_PARTIAL: &str = "Partial transcript";
pub(crate) const FORM_COMPACT: &str = "Compact transcript";
pub(crate) const FORM_HANDLERS: &str = "Mock handlers";
pub(crate) const FORM_UNKNOWN: &str = "Not recognised";
pub(crate) const LINES_ONE: &str = "{n} line";
pub(crate) const LINES_MANY: &str = "{n} lines";

// Steps.
pub(crate) const STEPS: &str = "Steps";
pub(crate) const STEPS_LABEL: &str = "Steps of the run";
pub(crate) const STEP_FIRST: &str = "First step (Home)";
pub(crate) const STEP_PREVIOUS: &str = "Previous step (K)";
pub(crate) const STEP_NEXT: &str = "Next step (J)";
pub(crate) const STEP_LAST: &str = "Last step (End)";
pub(crate) const TRANSPORT: &str = "Step through the run";
pub(crate) const POSITION: &str = "Step {at} of {of}";
pub(crate) const NO_STEPS: &str = "No steps yet";
pub(crate) const NO_STEPS_HINT: &str = "Steps appear here as soon as the source can be read as a transcript.";
pub(crate) const STALE: &str = "Showing the last version that could be read: line {line} does not parse.";
pub(crate) const PARTIAL: &str = "Showing what could be read: line {line} does not parse.";
pub(crate) const STALE_ERROR: &str = "Showing the last version that could be read: line {line} has an error.";
pub(crate) const PARTIAL_ERROR: &str = "Showing what could be read: line {line} has an error.";
pub(crate) const KIND_INITIAL: &str = "Initial state";
pub(crate) const KIND_LLM: &str = "LLM call";
pub(crate) const KIND_TOOL: &str = "Tool call";
pub(crate) const KIND_MESSAGE: &str = "Message";
pub(crate) const TURN: &str = "Turn {n}";
pub(crate) const FAILED: &str = "Failed";
pub(crate) const TOKENS: &str = "{n} tok";
pub(crate) const TOKENS_LONG: &str = "{n} tokens";
pub(crate) const MARK_CONTEXT: &str = "state";
pub(crate) const MARK_CONTEXT_LONG: &str = "Changes the agent state";
pub(crate) const NESTED_ONE: &str = "{n} nested step";
pub(crate) const NESTED_MANY: &str = "{n} nested steps";
pub(crate) const NO_TEXT: &str = "no text";

// Roles.
pub(crate) const ROLE_SYSTEM: &str = "System";
pub(crate) const ROLE_USER: &str = "User";
pub(crate) const ROLE_ASSISTANT: &str = "Assistant";
pub(crate) const ROLE_TOOL: &str = "Tool";

// Inspector.
pub(crate) const INSPECTOR: &str = "Inspector";
pub(crate) const INSPECT: &str = "Inspect";
pub(crate) const NOTHING_SELECTED: &str = "No step to inspect";
pub(crate) const LAYER_STATE: &str = "Agent state";
pub(crate) const LAYER_FLOW: &str = "Message flow";
pub(crate) const LAYER_LLM: &str = "LLM interaction";
pub(crate) const LAYER: &str = "Layer {n}";
pub(crate) const RAW: &str = "Raw JSON";
pub(crate) const RAW_HINT: &str = "As the full transcript has it";
pub(crate) const CHANGES: &str = "Changes to the context";
pub(crate) const CHANGES_NONE: &str = "Unchanged by this step";
pub(crate) const CHANGES_ONE: &str = "{n} change";
pub(crate) const CHANGES_MANY: &str = "{n} changes";
pub(crate) const ADDED: &str = "added";
pub(crate) const CHANGED: &str = "changed";
pub(crate) const REMOVED: &str = "removed";
pub(crate) const CONTEXT: &str = "Context after this step";
pub(crate) const CONTEXT_EMPTY: &str = "The context is empty.";
pub(crate) const KEYS_ONE: &str = "{n} key";
pub(crate) const KEYS_MANY: &str = "{n} keys";
pub(crate) const FLOW_COUNTS: &str = "store {store} · visible {visible} · hidden {hidden}";
pub(crate) const FLOW_EMPTY: &str = "No message in the store.";
pub(crate) const HIDDEN: &str = "Hidden";
pub(crate) const HIDDEN_SINCE: &str = "Hidden since step {step}";
pub(crate) const HIDDEN_HERE: &str = "Hidden by this step";
pub(crate) const SHOWN_HERE: &str = "Shown again by this step";
pub(crate) const CREATED_HERE: &str = "New here";
pub(crate) const SENT_ONE: &str = "{n} message sent";
pub(crate) const SENT_MANY: &str = "{n} messages sent";
pub(crate) const SENT: &str = "Sent to the model";
pub(crate) const SENT_UNKNOWN: &str = "The transcript does not record what was sent.";
pub(crate) const TRANSFORMED: &str = "Transformed";
pub(crate) const IN_STORE: &str = "In the store";
pub(crate) const AS_SENT: &str = "As sent";
pub(crate) const WITHHELD: &str = "Withheld from the model";
pub(crate) const NOT_STORED: &str = "never stored";
pub(crate) const CONFIG: &str = "Settings";
pub(crate) const ANSWER: &str = "Answer";
pub(crate) const ANSWER_EMPTY: &str = "No text in the answer.";
pub(crate) const REASONING: &str = "Reasoning";
pub(crate) const REFUSAL: &str = "Refusal";
pub(crate) const USAGE: &str = "Usage";
pub(crate) const CALL_FAILED: &str = "The call failed";
pub(crate) const ANSWERS: &str = "Answers {id}";
pub(crate) const TOOL_SUCCEEDED: &str = "Succeeded";
pub(crate) const PARAMETERS: &str = "Parameters";
pub(crate) const RESULT: &str = "Result";
pub(crate) const ERROR: &str = "Error";
pub(crate) const NO_LLM_INITIAL: &str = "Nothing was sent yet: this is the state before the first step.";
pub(crate) const NO_LLM: &str = "This step calls neither a model nor a tool.";
pub(crate) const SHOW_ALL: &str = "Show all {n} characters";
pub(crate) const SHOW_LESS: &str = "Show less";
pub(crate) const SHOW_MORE: &str = "{n} more";
pub(crate) const PAGE: &str = "{from}–{to} of {of}";
pub(crate) const EARLIER: &str = "Earlier";
pub(crate) const LATER: &str = "Later";

// Problems.
pub(crate) const PROBLEMS: &str = "Problems";
pub(crate) const PROBLEMS_LABEL: &str = "Problems in the source";
pub(crate) const PROBLEMS_NONE: &str = "No problems";
pub(crate) const SEVERITY_ERROR: &str = "Error";
pub(crate) const SEVERITY_WARNING: &str = "Warning";
pub(crate) const SEVERITY_INFO: &str = "Info";
pub(crate) const MARK_ERROR: &str = "Error in line";
pub(crate) const MARK_WARNING: &str = "Warning in line";
pub(crate) const MARK_INFO: &str = "Remark on line";
pub(crate) const AT: &str = "line {line}, column {column}";
pub(crate) const NEXT_PROBLEM: &str = "Next problem (F8)";
pub(crate) const PREVIOUS_PROBLEM: &str = "Previous problem (Shift+F8)";
pub(crate) const APPLY_FIX: &str = "Fix: {title}";
pub(crate) const APPLY_ONE: &str = "Apply 1 certain fix";
pub(crate) const APPLY_MANY: &str = "Apply {n} certain fixes";
pub(crate) const EXPLAIN: &str = "What {code} means (opens a page)";

// Shortcut sheet.
pub(crate) const SHEET: &str = "Keyboard shortcuts";
pub(crate) const SHEET_HINT: &str = "Single letters act only outside text fields.";
/// Keys, then what they do. Alternatives are separated by a space.
pub(crate) const SHEET_ROWS: [(&str, &str); 12] = [
    ("J ↓", "Next step"),
    ("K ↑", "Previous step"),
    ("Home End", "First or last step"),
    ("[ ]", "Previous or next step that changes the agent state"),
    ("F8", "Next problem, caret in the source"),
    ("Shift+F8", "Previous problem"),
    ("Ctrl+.", "Apply the first fix of the problem at the caret"),
    ("F6", "Next pane"),
    ("Ctrl+S", "Download the document; save the file of `transcript open`"),
    ("Ctrl+Z", "Undo in the source, fixes included"),
    ("G", "Gallery"),
    ("?", "This sheet"),
];

/// The lesson of each example, by its name.
pub(crate) const LESSONS: [(&str, &str); 7] = [
    ("weather_query_with_tools", "Every layer spelled out: state, messages, a tool call and assertions."),
    ("simple_greeting", "Three lines are enough: the rest is filled in."),
    ("weather_query", "A tool call and its result in shorthand."),
    ("greeting_with_description", "A description and two rounds of talk."),
    ("nested_agent_call", "An agent used as a tool, with its own run inside."),
    ("context_management", "The model sees less than the store holds: hidden and shortened messages."),
    ("error_handling", "A tool fails, the agent tries again and recovers."),
];
