//! English.

mod agents;
mod inspector;
mod keeping;
mod lists;
mod runs;
mod writing;

pub(crate) use agents::*;
pub(crate) use inspector::*;
pub(crate) use keeping::*;
pub(crate) use lists::*;
pub(crate) use runs::*;
pub(crate) use writing::*;

pub(crate) const PRODUCT: &str = "Transcript Workbench";
pub(crate) const HEADLINE: &str = "Write, check and replay an agent run. Nothing leaves this page.";
pub(crate) const INTRO: &str = "Open a transcript, see its problems where they are, and step through what the agent knew, what the model was sent and what it answered.";

// Gallery.
pub(crate) const DOOR_EXAMPLE: &str = "Open an example";
pub(crate) const DOOR_EXAMPLE_HINT: &str =
    "Seven short runs, three sets of handlers and a log of three agents, one lesson each";
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
pub(crate) const VIEW: &str = "View";
pub(crate) const VIEWS: &str = "Views";
pub(crate) const VIEW_EDIT: &str = "Edit";
pub(crate) const VIEW_REPLAY: &str = "Replay";
pub(crate) const VIEW_AGENTS: &str = "Agents";
pub(crate) const VIEW_HANDLERS: &str = "Handlers";
pub(crate) const VIEW_COMPARE: &str = "Compare";
pub(crate) const VALID: &str = "Valid";
pub(crate) const READING: &str = "Reading…";
pub(crate) const UNREAD: &str = "Not read";
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
pub(crate) const READER_FAILED: &str =
    "The source cannot be read: {reason}. What you type is kept, but steps and problems stay as they are.";
pub(crate) const READER_NOT_LOADED: &str =
    "the part of the workbench that reads transcripts could not be loaded";
pub(crate) const READER_STOPPED: &str =
    "the part of the workbench that reads transcripts has stopped ({reason})";
pub(crate) const TRY_AGAIN: &str = "Try again";
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
pub(crate) const LOGS_ATIF: &str = "This is a trajectory of harbor, not a transcript.";
pub(crate) const LOGS_AI_SDK: &str = "These are messages of the AI SDK, not a transcript.";
pub(crate) const LOGS_OTEL: &str = "These are spans of OpenTelemetry, not a transcript.";
pub(crate) const LOGS_INSPECT: &str = "This is a log of Inspect AI, not a transcript.";
pub(crate) const LOGS_LANGSMITH: &str = "These are runs of LangSmith, not a transcript.";
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
pub(crate) const LOGS_AGENTS: &str = "Show the agents";
pub(crate) const LOGS_REPORT: &str = "What was read";
pub(crate) const LOGS_CHOOSE: &str = "Choose a session";
pub(crate) const LOGS_ORIGINAL: &str = "Show the original";
pub(crate) const LOGS_TEXT: &str = "Open the text of {name}";
pub(crate) const LOGS_LEFT_OUT: &str = "To know";
pub(crate) const LOGS_SESSIONS: &str = "Sessions";
pub(crate) const LOGS_TABLE: &str = "Events in the order of what followed from what";
pub(crate) const LOGS_NOT_LOADED: &str = "the part of the workbench that reads logs could not be loaded; it is fetched when the first log comes, which needs the network once";

// Share.
pub(crate) const SHARE: &str = "Share or export";
pub(crate) const SHARE_KEY: &str = "Share or export (Ctrl+Shift+S)";
pub(crate) const SHARE_FORMS: &str = "As what";
/// What each form is called, and what it is for.
pub(crate) const FORMS: [(&str, &str, &str); 14] = [
    ("link", "Link", "The document itself in an address: nothing is stored anywhere"),
    ("html", "HTML page", "One file to read in any browser, without scripts"),
    ("markdown", "Markdown", "For an issue or a message"),
    ("text", "As it is", "The text of the document"),
    ("yaml", "Full YAML", "Every layer spelled out"),
    ("json", "Full JSON", "Every layer spelled out"),
    ("compact", "Compact YAML", "One line for each message"),
    ("openai", "OpenAI request", "The messages as the next call would send them"),
    ("anthropic", "Anthropic request", "The messages as the next call would send them"),
    ("atif", "ATIF trajectory", "For harbor, version 1.8"),
    ("events", "Event log", "One event a line"),
    ("test-js", "Test in JavaScript", "For node --test"),
    ("test-python", "Test in Python", "For pytest"),
    ("embed", "Embed in a page", "HTML that shows it inside another page, to be read and stepped through"),
];
pub(crate) const SECRETS_LOOKING: &str = "Looking for secrets…";
pub(crate) const SECRETS_NONE: &str = "No keys, tokens, passwords or e-mail addresses found.";
pub(crate) const SECRETS_FOUND: &str = "Found in the document. What is ticked is replaced:";
pub(crate) const SECRETS_FAILED: &str =
    "Secrets could not be looked for: {reason}. Read the text before you send it.";
pub(crate) const SECRETS_PLACES_ONE: &str = "{n} place";
pub(crate) const SECRETS_PLACES_MANY: &str = "{n} places";
/// What each kind of secret is called.
pub(crate) const SECRETS: [(&str, &str); 18] = [
    ("anthropic-key", "Anthropic API key"),
    ("openai-key", "OpenAI API key"),
    ("github-token", "GitHub token"),
    ("gitlab-token", "GitLab token"),
    ("aws-key", "AWS access key id"),
    ("google-key", "Google API key"),
    ("slack-token", "Slack token"),
    ("stripe-key", "Stripe live key"),
    ("npm-token", "npm token"),
    ("hugging-face-token", "Hugging Face token"),
    ("jwt", "JSON Web Token"),
    ("authorization", "Authorization header"),
    ("private-key", "Private key"),
    ("password", "Password or key"),
    ("url-password", "Password in a URL"),
    ("email", "E-mail address"),
    ("phone", "Phone number"),
    ("ip-address", "IP address"),
];
pub(crate) const REDACTED_FORM: &str =
    "Without its secrets the document reads as one of another form. Look at it before you send it.";
pub(crate) const REDACTED_BLOBS: &str =
    "A file inside had a secret, and its name no longer is the hash of its content.";
pub(crate) const MAKING: &str = "Writing…";
pub(crate) const NOT_MADE: &str = "It cannot be written in this form: {reason}";
pub(crate) const NO_FORM: &str = "the document cannot be read as a transcript.";
pub(crate) const NO_FORM_LINE: &str = "line {line}: {message}.";
pub(crate) const ALL_MESSAGES: &str = "Hidden messages too";
pub(crate) const LOSSES: &str = "What this form cannot say";
pub(crate) const LOSSES_NONE: &str = "Nothing is lost.";
pub(crate) const PREVIEW: &str = "Preview";
pub(crate) const PREVIEW_MORE: &str = "and {n} more characters";
pub(crate) const COPY: &str = "Copy";
pub(crate) const COPIED: &str = "Copied";
pub(crate) const COPY_REFUSED: &str =
    "The browser did not allow it. Select the text and press Ctrl+C, or download it.";
pub(crate) const DOWNLOAD_AS: &str = "Download {name}";
pub(crate) const LINK_LENGTH: &str = "Length of the link";
pub(crate) const LINK_OK: &str = "{n} characters: short enough for any program";
pub(crate) const LINK_LONG: &str = "{n} characters: long, and some mail and chat programs cut such links";
pub(crate) const LINK_OVER: &str = "{n} characters: too long for most programs. Send a file instead.";
pub(crate) const LINK_FILE: &str = "Make an HTML page instead";
pub(crate) const LINK_HINT: &str = "Whoever opens it sees the document at this step, as a copy that is not saved. The part after # is never sent to a server.";

// Compare.
pub(crate) const COMPARE_CHOOSE: &str = "Compare {name} with";
pub(crate) const COMPARE_OTHER: &str = "Choose another";
pub(crate) const COMPARE_SWAP: &str = "Swap the sides";
pub(crate) const COMPARE_IGNORE: &str = "Leave out";
/// In the order of the words that the comparison knows.
pub(crate) const IGNORES: [&str; 4] = ["times", "ids", "ULIDs", "usage"];
pub(crate) const COMPARE_ONLY: &str = "Only differences";
pub(crate) const COMPARE_NEXT: &str = "Next difference (J)";
pub(crate) const COMPARE_PREVIOUS: &str = "Previous difference (K)";
pub(crate) const COMPARING: &str = "Comparing…";
pub(crate) const COMPARE_EQUAL: &str = "No difference.";
pub(crate) const COMPARE_TURNS: &str = "{same} same, {changed} changed, {added} added, {removed} removed";
pub(crate) const COMPARE_TOOLS: &str = "Tool calls";
pub(crate) const COMPARE_TOKENS: &str = "Tokens";
pub(crate) const COMPARE_HELD: &str = "Assertions that hold";
pub(crate) const COMPARE_ROWS: &str = "Steps of both runs";
pub(crate) const COMPARE_SAME: &str = "Same";
pub(crate) const COMPARE_CHANGED: &str = "Changed";
pub(crate) const COMPARE_ADDED: &str = "Added";
pub(crate) const COMPARE_REMOVED: &str = "Removed";
pub(crate) const COMPARE_NOTHING: &str = "not here";
pub(crate) const COMPARE_OUTSIDE: &str = "Outside the run: metadata, settings, assertions";
pub(crate) const COMPARE_DETAIL: &str = "Differences of the row";
pub(crate) const COMPARE_SELECT: &str = "Select a row to see what differs.";
pub(crate) const COMPARE_ROW_SAME: &str = "Both are the same here.";
pub(crate) const COMPARE_CHANGES_ONE: &str = "{n} difference";
pub(crate) const COMPARE_CHANGES_MANY: &str = "{n} differences";
pub(crate) const COMPARE_LINES_ONE: &str = "{n} line that is the same";
pub(crate) const COMPARE_LINES_MANY: &str = "{n} lines that are the same";
pub(crate) const COMPARE_UNREADABLE: &str = "{name} cannot be compared: line {line}: {message}.";
pub(crate) const COMPARE_NO_RUN: &str = "{name} cannot be compared: there is no run in it.";

// Shared copies.
pub(crate) const SHARED_NAME: &str = "shared";
pub(crate) const SHARED_COPY: &str = "Shared copy";
pub(crate) const SHARED_BANNER: &str =
    "This is a shared copy: it is kept nowhere yet, and changes none of your documents.";
pub(crate) const SHARED_KEEP: &str = "Save to my workspace";
pub(crate) const PASTE_INSTEAD: &str = "Paste the document instead";
pub(crate) const LINK_CUT: &str = "This shared link is broken: {have} of {of} bytes of its document could be read, from {packed} packed bytes. It was probably cut on its way; ask for it again, or for a file.";
pub(crate) const LINK_UNREADABLE: &str = "This shared link is broken: nothing could be read of its {packed} packed bytes. It was probably cut or rewritten on its way; ask for it again, or for a file.";
pub(crate) const LINK_CHANGED: &str = "This shared link is broken: all of its document is there, but not as it was sent. Something rewrote it on its way; ask for it again, or for a file.";
pub(crate) const LINK_LETTERS: &str = "This shared link is broken: it has characters in it that no such link has. Something rewrote it on its way; ask for it again, or for a file.";
pub(crate) const LINK_TOO_LARGE: &str =
    "This shared link was not opened: its document has more than {n} bytes.";
pub(crate) const LINK_NO_BROWSER: &str =
    "This browser cannot pack and unpack the documents of links; a newer one can.";

// Source.
pub(crate) const SOURCE: &str = "Source";
pub(crate) const SOURCE_LABEL: &str = "Source text of the transcript";
pub(crate) const SOURCE_HINT: &str = "name: weather_query\n\nmessages:\n  - \"system: You are helpful\"\n  - \"user: What's the weather?\"\n  - \"assistant:call weather(location='NYC')\"\n  - \"tool:weather: {temp: 72, condition: sunny}\"\n  - \"assistant: It's 72°F and sunny!\"";
pub(crate) const FORM_FULL: &str = "Full transcript";
pub(crate) const FORM_PARTIAL: &str = "Partial transcript";
pub(crate) const FORM_COMPACT: &str = "Compact transcript";
pub(crate) const FORM_HANDLERS: &str = "Mock handlers";
pub(crate) const FORM_EVENTS: &str = "Log of events";
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
pub(crate) const PLAY: &str = "Play (Space)";
pub(crate) const PAUSE: &str = "Pause (Space)";
pub(crate) const SPEED: &str = "Speed (< and >)";
pub(crate) const SCRUBBER: &str = "Step of the run";
pub(crate) const SCRUBBER_HINT: &str =
    "Above: state changed; middle: a message came or was hidden; below: tokens; red: a problem or a failure";
pub(crate) const LOOK_FOR: &str = "Look for steps";
pub(crate) const LOOK_FOR_HINT: &str = "Look for steps, as in role:tool weather (/)";
pub(crate) const LOOK_FOR_LONG: &str = "Words, role: kind: tool: agent: turn: status: has:state has:problem; -word for steps without it; \"in quotes\" as it stands";
pub(crate) const FOUND: &str = "{n} found";
pub(crate) const FOUND_AT: &str = "{at} of {n}";
pub(crate) const NEXT_MATCH: &str = "Next step found (N)";
pub(crate) const PREVIOUS_MATCH: &str = "Previous step found (Shift+N)";
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
pub(crate) const NESTED_ONE: &str = "{n} step inside";
pub(crate) const NESTED_MANY: &str = "{n} steps inside";
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
pub(crate) const RAW: &str = "The step as data";
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

// Handlers.
pub(crate) const HANDLERS_READING: &str = "Reading the handlers…";
pub(crate) const NO_HANDLERS: &str = "No handlers here";
pub(crate) const NO_HANDLERS_HINT: &str = "Handlers answer in the model's place: rules, queues, state machines. This document has none under `handlers`. Add some in the source, or open an example:";
pub(crate) const HANDLER_OF: &str = "Answers for {agent}";
pub(crate) const HANDLER_UNTYPED: &str = "no type";
pub(crate) const HANDLER_UNKNOWN: &str = "not a type of handler";
/// What each type of handler does.
pub(crate) const HANDLER_KINDS: [(&str, &str); 9] = [
    ("queue", "gives its responses one after the other"),
    ("conditional", "gives the response of the first rule whose condition holds"),
    ("transcript", "follows a conversation"),
    ("state_machine", "answers in its state, then moves to the next"),
    ("composite", "asks other handlers"),
    ("tool_sequence", "calls tools one after the other, then answers"),
    ("repeat", "gives one response again and again"),
    ("fail", "fails, then leaves the answer to another handler"),
    ("recording", "passes every call on and keeps what was said"),
];
pub(crate) const TABLE_OF: &str = "Table of {path}";
pub(crate) const COLUMN_MARK: &str = "Outcome";
pub(crate) const COLUMN_NAME: &str = "What";
pub(crate) const COLUMN_WHEN: &str = "When";
pub(crate) const COLUMN_ANSWER: &str = "Answers";
pub(crate) const COLUMN_WAYS: &str = "Then goes to";
pub(crate) const ROWS_ONE: &str = "{n} row more";
pub(crate) const ROWS_MANY: &str = "{n} rows more";
pub(crate) const ROW_USED: &str = "used";
pub(crate) const ROW_FITS: &str = "fits";
pub(crate) const ROW_FITS_NOT: &str = "does not fit";
pub(crate) const ROW_DEFAULT: &str = "default";
pub(crate) const ROW_THEN: &str = "then";
pub(crate) const ROW_NUMBER: &str = "{kind} {n}";
pub(crate) const WHEN_ALWAYS: &str = "always";
pub(crate) const WHEN_ELSE: &str = "else";
pub(crate) const WAY_NEXT: &str = "next";
pub(crate) const STATE_UNREACHED: &str = "unreachable";
pub(crate) const STATE_UNKNOWN: &str = "no such state";
pub(crate) const STATE_CURRENT: &str = "current state";
pub(crate) const STATE_NOW: &str = "State: {now}";
pub(crate) const STATE_MOVED: &str = "State: {before} → {now}";
pub(crate) const DIAGRAM_OF: &str = "States of {agent}";
pub(crate) const SIMULATE: &str = "Simulate";
pub(crate) const SIMULATOR: &str = "Simulator";
pub(crate) const SIMULATOR_HINT: &str =
    "Say something as the user: the handlers answer here, and show why. No model is asked.";
pub(crate) const CONVERSATION: &str = "Conversation";
pub(crate) const USER_MESSAGE: &str = "Message of the user";
pub(crate) const SPEAK_TO: &str = "To";
pub(crate) const SEND: &str = "Send";
pub(crate) const STEP_BACK: &str = "Step back: take the last message back";
pub(crate) const RESET: &str = "Reset: begin anew";
pub(crate) const TRACE: &str = "Why";
pub(crate) const TRACE_CALL: &str = "call_count {n} · iteration {round}";
pub(crate) const TRACE_MORE: &str = "and {n} decisions more";
pub(crate) const ROUNDS_OVER: &str =
    "the agent called its model as often as one message may, so that it stopped here";
pub(crate) const ANSWERS_LEFT_ONE: &str = "{n} answer left";
pub(crate) const ANSWERS_LEFT_MANY: &str = "{n} answers left";
pub(crate) const ASK_TOOL: &str = "What does {tool} return for {arguments}?";
pub(crate) const ASK_REPLY: &str = "What does {agent} answer?";
pub(crate) const ASK_HINT: &str = "JSON or text";
pub(crate) const GIVE_RESULT: &str = "Return";
pub(crate) const GIVE_ERROR: &str = "Fail with this";
pub(crate) const GIVE_ANSWER: &str = "Answer";
pub(crate) const SAVE_TRANSCRIPT: &str = "Save as transcript";
pub(crate) const SAVE_SCENARIO: &str = "Save as scenario";
pub(crate) const SCENARIO_SAVED: &str = "Saved: the document says these messages under `steps`.";
pub(crate) const RUN_SCENARIO_ONE: &str = "Run the scenario ({n} message)";
pub(crate) const RUN_SCENARIO_MANY: &str = "Run the scenario ({n} messages)";
pub(crate) const ADD_DEFAULT: &str = "Add a default";
pub(crate) const DEFAULT_ANSWER: &str = "I don't know";
pub(crate) const DEFAULT_ADDED: &str = "Added: a `default` answers where no rule fits.";
pub(crate) const NOT_CHANGED: &str = "The document was not changed: {reason}.";

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

// Assertions.
pub(crate) const DOCK: &str = "Lists";
pub(crate) const ASSERTIONS: &str = "Assertions";
pub(crate) const CHECKING: &str = "Checking…";
pub(crate) const ASSERTIONS_NONE: &str = "The document has no assertions.";
pub(crate) const ASSERTIONS_HELD: &str = "{n} of {of} hold";
pub(crate) const ASSERTION_HOLDS: &str = "Holds";
pub(crate) const ASSERTION_FAILS: &str = "Fails";
pub(crate) const ASSERTION_UNTOLD: &str = "Cannot be told";
pub(crate) const ASSERTION_STEP: &str = "step {step}";
pub(crate) const ASSERTION_EXPECTED: &str = "expected {value}";
pub(crate) const ASSERTION_ACTUAL: &str = "found {value}";
