//! What is said of runs: twice, in a mode, from a changed step; and the log.

// Determinism.
pub(crate) const DETERMINISM: &str = "Determinism";
pub(crate) const TWICE: &str = "Run twice";
pub(crate) const TWICE_AGAIN: &str = "Run twice again";
pub(crate) const SHUFFLE_AND_REPLAY: &str = "Shuffle and replay twice";
pub(crate) const SHUFFLE_AGAIN: &str = "Shuffle again";
pub(crate) const TWICE_HINT: &str = "The second run is made by another instance, of the same document with the keys of all its maps the other way round.";
pub(crate) const TWICE_EVENTS: &str =
    "The second run is made by another instance, of the same log with its lines in another order.";
pub(crate) const TWICE_WORKING: &str = "Running twice…";
pub(crate) const TWICE_NOT: &str = "It was not run: {reason}.";
pub(crate) const TWICE_SAME: &str = "Deterministic: both runs are the same, byte for byte.";
pub(crate) const TWICE_DIFFERENT: &str = "Not deterministic: the runs differ.";
pub(crate) const TWICE_FAILS: &str = "Both runs are the same, and both fail.";
pub(crate) const TWICE_OLD: &str = "The document was changed since.";
pub(crate) const TWICE_FAILURE: &str = "{event}: {message}";
pub(crate) const TWICE_COMMAND: &str = "On the command line:";
pub(crate) const FIRST_RUN: &str = "First run";
pub(crate) const SECOND_RUN: &str = "Second run";
pub(crate) const FIRST_RUN_OF: &str = "{name}_first_run.yaml";
pub(crate) const SECOND_RUN_OF: &str = "{name}_second_run.yaml";
pub(crate) const PARTED_FIRST: &str = "First difference:";
pub(crate) const PARTED: &str = "step {step}, {path}";
pub(crate) const CAUSE: &str = "Likely cause:";
pub(crate) const CAUSE_TIME: &str = "a point in time. Record it, or leave it out of what is compared.";
pub(crate) const CAUSE_ID: &str =
    "an id that is made anew each time. Record it, or make it of what is given.";
pub(crate) const CAUSE_NUMBER: &str = "a number that is drawn by chance. Record it, or fix the seed.";
pub(crate) const CAUSE_ORDER: &str =
    "the same in another order, as of the keys of a map, which have none in YAML and JSON. Sort them.";
pub(crate) const AROUND: &str = "Steps around the first difference";
pub(crate) const AROUND_HEAD: [&str; 4] = ["Step", "Kind", "First run", "Second run"];
pub(crate) const OPEN_IN_COMPARE: &str = "Open in Compare";
pub(crate) const CHIP_SAME: &str = "Deterministic {print}";
pub(crate) const CHIP_DIFFERENT: &str = "Not deterministic";

// Running.
pub(crate) const RUN: &str = "Run";
pub(crate) const RUN_GROUP: &str = "Run the document";
pub(crate) const RUN_TITLE: &str = "Check the document, play it, hold its assertions against it (Ctrl+Enter)";
pub(crate) const RUN_MODE: &str = "Mode of the run";
/// Strict, mocked tools, property; so are the hints.
pub(crate) const RUN_MODES: [&str; 3] = ["Strict", "Mocked tools", "Property"];
pub(crate) const RUN_HINTS: [&str; 3] = [
    "Each recorded request was made again and got the recorded answer; the recording stood in for the tools.",
    "The handlers of the document answered for the model, and its tools gave what was recorded.",
    "The handlers of the document answered for the model, its tools gave their own results, and only the assertions count.",
];
/// Matched, substituted, skipped, diverged.
pub(crate) const RUN_STATUSES: [&str; 4] = ["Matched", "Substituted", "Skipped", "Diverged"];
pub(crate) const RUN_TOLD: &str =
    "{mode}: {matched} matched, {substituted} substituted, {skipped} skipped, {diverged} diverged";
pub(crate) const RUN_NOT: &str = "{mode}: not run, for {reason}.";
pub(crate) const RUN_EXTRA: &str = "Steps of the run that were not recorded: {n}";
pub(crate) const RUN_OPEN: &str = "Open this run as a document";
pub(crate) const RUN_WHY: &str = "Differs in {path}";

// Changing a step.
pub(crate) const CHANGE_THIS: &str = "Change this step and replay (C)";
pub(crate) const CHANGE_STEP: &str = "Change step {step}";
pub(crate) const CHANGE_HINT: &str = "What follows is worked out again; where an answer no longer holds, you are asked for it. The document stays as it is, and the new run is opened as another one.";
pub(crate) const CHANGE_ANSWER: &str = "What the model answers";
pub(crate) const CHANGE_ANSWER_HINT: &str =
    "A text, or JSON with `content` and `tool_calls`, each with `name` and `arguments`";
pub(crate) const CHANGE_RESULT: &str = "What the tool returns";
pub(crate) const CHANGE_MESSAGE: &str = "What the message says";
pub(crate) const CHANGE_AND_REPLAY: &str = "Change and replay";
pub(crate) const CHANGE_FAIL: &str = "Fail with this instead";
pub(crate) const CHANGE_SKIP: &str = "Skip this step";
pub(crate) const CHANGE_MOVE: &str = "Move to the place of step";
pub(crate) const CHANGE_MOVE_IT: &str = "Move and replay";
pub(crate) const CHANGE_BACK: &str = "Step back";
pub(crate) const CHANGE_OPEN: &str = "Open as a new document";
pub(crate) const CHANGE_MARKS: &str = "What became of each step";
pub(crate) const CHANGE_HOLDS: &str = "every step of the new run holds";
pub(crate) const CHANGE_HOLDS_NOT: &str = "not every step of the new run holds";
pub(crate) const CHANGED_NAME: &str = "{name}_from_{step}.yaml";
pub(crate) const REPLAYING: &str = "Replaying…";
pub(crate) const NEEDS_ANSWER: &str =
    "Step {step} is asked something else than was recorded. What does the model answer?";
pub(crate) const NEEDS_RESULT: &str =
    "Step {step}: nothing is recorded for this call. What does {tool} return for {arguments}?";
pub(crate) const NEEDS_SENT: &str = "What the model is sent";
pub(crate) const TAKE_HANDLERS: &str = "Take what the handlers answer";
pub(crate) const MARK_KEPT: &str = "Kept";
pub(crate) const MARK_CHANGED: &str = "Changed";
pub(crate) const MARK_RECOMPUTED: &str = "Recomputed";
pub(crate) const MARK_DIVERGED: &str = "Asked something else";
pub(crate) const MARK_DEPENDS: &str = "Depends on a step that no longer holds";
pub(crate) const MARK_UNANSWERED: &str = "Needs an answer";
pub(crate) const MARK_ORPHANED: &str = "Result without its call";
pub(crate) const MARK_WAS: &str = "was step {step}";
pub(crate) const MARK_DROPPED: &str = "Step {step} is gone: {why}";
pub(crate) const NOTE_CHANGED: &str = "Changed step {step}, and opened the new run as {name}";

// Log.
pub(crate) const LOG: &str = "Log";
pub(crate) const LOG_HINT: &str =
    "What this page did, newest first. It is kept nowhere, and no text of a document is in it.";
pub(crate) const NOTE_OPENED: &str =
    "Opened {name}: {form}, {steps} steps; {errors} errors, {warnings} warnings; read in {ms} ms";
pub(crate) const NOTE_READ: &str =
    "Read again after a change: {steps} steps, {errors} errors, {warnings} warnings, in {ms} ms";
pub(crate) const NOTE_SAVED: &str = "Saved on this device";
pub(crate) const NOTE_NOT_SAVED: &str = "Not saved: {reason}";
pub(crate) const NOTE_NOT_OPENED: &str = "{name} was not opened: {reason}";
pub(crate) const NOTE_READER: &str = "The reader failed: {reason}";
pub(crate) const NOTE_SAME: &str = "Ran twice in {ms} ms: the same";
pub(crate) const NOTE_DIFFERENT: &str = "Ran twice in {ms} ms: not the same, or failed";
pub(crate) const NOTE_NOT_RUN: &str = "Not run twice";
pub(crate) const NOTE_RUN: &str = "Ran {mode} in {ms} ms: {matched} matched, {substituted} substituted, {skipped} skipped, {diverged} diverged";
pub(crate) const NOTE_RUN_ERRORS: &str = "Not run: the document has errors";
