//! English words about earlier versions, other hosts, models that write, embedding and being offline.

pub(crate) const DOOR_DESCRIBE: &str = "Describe it";
pub(crate) const DOOR_DESCRIBE_HINT: &str = "A language model writes the run, by any chat or your own key";
pub(crate) const OUTDATED: &str = "A new version of the workbench is here.";
pub(crate) const OUTDATED_RELOAD: &str = "Reload";
pub(crate) const OPEN_WHOLE: &str = "Open in Transcript Workbench";
pub(crate) const READ_ONLY_HERE: &str = "it is read-only here";
pub(crate) const GENERATE: &str = "Describe a run";
pub(crate) const GENERATE_DESCRIPTION: &str = "What happens in the run";
pub(crate) const GENERATE_DESCRIPTION_HINT: &str =
    "The user asks for the weather in Rome. The agent looks it up and answers in one sentence.";
pub(crate) const GENERATE_TOOLS: &str = "Tools of the agent: names, one a line, or JSON";
pub(crate) const GENERATE_EDGE_CASES: &str = "What goes wrong, one a line";
pub(crate) const GENERATE_TONE: &str = "Tone";
pub(crate) const GENERATE_TURNS: &str = "About how many turns";
pub(crate) const GENERATE_HOW: &str = "Who writes it";
pub(crate) const GENERATE_BY_HAND: &str = "Any chat: copy and paste";
pub(crate) const GENERATE_OWN: &str = "An endpoint of your own";
pub(crate) const GENERATE_COPY: &str = "Copy the prompt";
pub(crate) const GENERATE_PROMPT: &str = "The prompt";
pub(crate) const GENERATE_REPLY: &str = "Reply of the model";
pub(crate) const GENERATE_REPLY_HINT: &str = "Paste the whole reply; the transcript in it is found";
pub(crate) const GENERATE_CHECK: &str = "Check the reply";
pub(crate) const GENERATE_KIND: &str = "Kind of endpoint";
/// In the order of the kinds that are known.
pub(crate) const GENERATE_KINDS: [&str; 2] = ["As of OpenAI: chat completions", "As of Anthropic: messages"];
pub(crate) const GENERATE_ADDRESS: &str = "Address";
pub(crate) const GENERATE_MODEL: &str = "Model";
pub(crate) const GENERATE_KEY: &str = "Key";
pub(crate) const GENERATE_KEY_HINT: &str =
    "Held in the memory of this page alone: it is kept nowhere, and gone when the page is closed.";
pub(crate) const GENERATE_AGREE: &str = "Send the description and the key to {host}";
pub(crate) const GENERATE_NO_HOST: &str = "the endpoint";
pub(crate) const GENERATE_ASK: &str = "Ask the model";
pub(crate) const GENERATE_WRITING: &str = "Reply {round}: {n} characters so far…";
pub(crate) const GENERATE_WAITING: &str = "{host} answered {status}, and is asked again in {n} s…";
pub(crate) const GENERATE_CHECKING: &str = "Reply {round}: checking…";
pub(crate) const GENERATE_NO_ANSWER: &str = "Nothing came of it: {reason}";
pub(crate) const GENERATE_NOT: &str = "It cannot be asked for: {reason}.";
pub(crate) const GENERATE_TOOLS_BAD: &str = "the tools are no JSON: {reason}";
pub(crate) const GENERATE_TURNS_BAD: &str = "the number of turns is no whole number";
pub(crate) const GENERATE_PROBLEMS: &str = "The transcript in the reply has problems:";
/// What each outcome of a reply is.
pub(crate) const GENERATE_STATUS: [(&str, &str); 5] = [
    ("problems", GENERATE_PROBLEMS),
    ("truncated", "The reply was cut off in the middle. Ask for the rest, or for fewer turns."),
    ("refused", "The model declines to write this. Put the description in other words."),
    ("empty", "The reply is empty."),
    ("no_document", "There is no transcript in the reply."),
];
pub(crate) const GENERATE_PROBLEM: &str = "line {line}: {message}";
pub(crate) const GENERATE_MORE: &str = "and {n} more";
pub(crate) const GENERATE_REPAIR: &str = "Copy the repair prompt";
pub(crate) const GENERATE_REPAIR_HINT: &str = "Paste it into the same chat, and its reply above.";
pub(crate) const GENERATE_ANYWAY: &str = "Open it all the same";
pub(crate) const GENERATE_NAME: &str = "described";
pub(crate) const WEB_OPEN: &str = "Open a web address";
pub(crate) const WEB_OPEN_HINT: &str = "of a transcript or a log; its host is asked only after you agreed";
pub(crate) const WEB_ADDRESS: &str = "Address of the document";
pub(crate) const WEB_ADDRESS_HINT: &str = "https://example.com/run.yaml";
pub(crate) const WEB_HINT: &str = "Your browser fetches it straight from its host, which must allow pages to read it (CORS), as GitHub's raw files do.";
pub(crate) const WEB_GO: &str = "Open";
pub(crate) const WEB_ASK: &str = "Fetch from {host}?";
pub(crate) const WEB_ASK_WHY: &str = "This document lies at {host}. Your browser would ask that host for it, without cookies and without saying from where. It sees your network address, as with any page you visit; nothing of your documents is sent. Until you close this tab, {host} is asked without another question.";
pub(crate) const WEB_AGREE: &str = "Fetch from {host}";
pub(crate) const WEB_ASKING: &str = "Asking {host}…";
pub(crate) const WEB_COMING: &str = "{bytes} bytes have come from {host}…";
pub(crate) const WEB_COMING_OF: &str = "{bytes} of {total} bytes have come from {host}…";
pub(crate) const STOP: &str = "Stop";
pub(crate) const WEB_STOPPED: &str = "You stopped it: nothing was opened.";
pub(crate) const WEB_NOT_ASKED: &str = "Nothing was asked of {host}.";
pub(crate) const WEB_NO_ADDRESS: &str =
    "This is no address that can be fetched: {address}. One begins with https://, and has no password in it.";
pub(crate) const WEB_STATUS: &str =
    "{host} answered {detail}: there is nothing to open at this address, or not without signing in.";
pub(crate) const WEB_LARGE: &str = "{host} sends more than {limit} bytes, which is more than is opened here.";
pub(crate) const WEB_LATE: &str = "Nothing has come from {host} for half a minute.";
pub(crate) const WEB_REDIRECT: &str =
    "{host} sends on to another host, to which you have not agreed. Open the address there instead.";
pub(crate) const WEB_UNREACHABLE: &str = "{host} gave no answer that a page may read: it cannot be reached, or does not allow other pages to read this (CORS).";
pub(crate) const WEB_MISSING: &str = "The part of the workbench that asks other hosts could not be loaded.";
pub(crate) const WEB_MODEL: &str = "{detail}";
pub(crate) const WEB_REFUSED: &str = "{name} was not opened: {reason}";
pub(crate) const WEB_BY_HAND: &str = "You can fetch it yourself, and paste or drop the result here:";
pub(crate) const WEB_LINE: &str = "Command that fetches it";
pub(crate) const WEB_PASTE: &str = "Paste the result here";
pub(crate) const HISTORY: &str = "History";
pub(crate) const HISTORY_KEY: &str = "History (Ctrl+Shift+H)";
pub(crate) const HISTORY_HINT: &str = "Earlier versions of this document, kept on this device: up to 30, 8 MiB in all. The newest changes are undone with Ctrl+Z.";
pub(crate) const HISTORY_NONE: &str = "There is no earlier version yet. One is kept with the first change, about every minute while you type, and before much is taken away.";
pub(crate) const HISTORY_FAILED: &str = "The earlier versions cannot be read: {reason}.";
pub(crate) const HISTORY_LIST: &str = "Earlier versions";
pub(crate) const HISTORY_SIZE_ONE: &str = "{n} line, {bytes} bytes";
pub(crate) const HISTORY_SIZE_MANY: &str = "{n} lines, {bytes} bytes";
pub(crate) const HISTORY_DIFFERENCE: &str = "From this version to the text as it is now";
pub(crate) const HISTORY_SAME: &str = "The text is the same now.";
pub(crate) const HISTORY_RESTORE: &str = "Restore this version";
pub(crate) const HISTORY_COMPARE: &str = "Compare step by step";
pub(crate) const EARLIER_OF: &str = "earlier {name}";
pub(crate) const NO_EARLIER: &str = "This earlier version is no longer on this device.";
