//! Every text a person can read that this module gives, in one table, as the page has one of its own.

pub(crate) const BROKEN_ARCHIVE: &str = "the zip file is damaged or cut";
pub(crate) const BROKEN: &str = "it is damaged in the zip file";
pub(crate) const ENCRYPTED: &str = "it is encrypted; unpack the zip file and open the folder";
pub(crate) const METHOD: &str =
    "it is packed by a method that is not read here; unpack the zip file and open the folder";
pub(crate) const OTHER_KIND: &str = "its name is not that of a log";
pub(crate) const PATH_LEADS_OUT: &str = "its path leads out of the zip file";
pub(crate) const PATH_TWICE: &str = "the zip file has that path already";
pub(crate) const NOT_TEXT: &str = "it is not UTF-8 text";
pub(crate) const NO_LOG: &str = "it is none of the logs that are read";
pub(crate) const NOTHING: &str = "there is no file in it that could be a log";
pub(crate) const NOTHING_HELP: &str = "a log of qbit is named `transcript.json`, below a folder for its session; a recording of AgentLoom is a JSON file, recorded HTTP such as a cassette of VCR a YAML or JSON file";
pub(crate) const SMALLER_HELP: &str = "open the folder or the zip file of one session";

pub(crate) fn many_entries(most: usize) -> String {
    format!("the zip file has more than {most} entries")
}

pub(crate) fn many_files(most: usize) -> String {
    format!("there are more than {most} files")
}

pub(crate) fn much_unpacked(most: usize) -> String {
    format!("unpacked, the zip file has more than {}", mebibytes(most))
}

pub(crate) fn much(most: usize) -> String {
    format!("the files have more than {} in all", mebibytes(most))
}

pub(crate) fn large(most: usize) -> String {
    format!("it has more than {}", mebibytes(most))
}

fn mebibytes(bytes: usize) -> String {
    match bytes >> 20 {
        0 => format!("{bytes} bytes"),
        mebibytes => format!("{mebibytes} MiB"),
    }
}

pub(crate) fn left_out(path: &str, why: &str) -> String {
    format!("{path}: {why}")
}

pub(crate) fn and_more(count: usize) -> String {
    format!("and {count} more")
}

/// What was read, in one sentence, and in another that something could not be.
pub(crate) fn made_of(kind: &str, files: usize, entries: usize, lost: usize) -> String {
    let what = match kind {
        "qbit-log" => "the log of a qbit session",
        "http-recording" => "recorded HTTP",
        "openai-agents-traces" => "a trace of the OpenAI Agents SDK",
        "claude-code-session" => "a session of Claude Code",
        "codex-rollout" => "a session of Codex",
        "chat-log" => "a chat",
        "openai-responses" => "a conversation in OpenAI's Responses",
        "anthropic-messages" => "a conversation in Anthropic's Messages",
        "fine-tuning" => "an example for training",
        "atif-trajectory" => "a trajectory of harbor",
        "ai-sdk-messages" => "a chat of the AI SDK",
        "ai-sdk-devtools" => "a run of the AI SDK",
        "otel-spans" => "spans of OpenTelemetry",
        "inspect-log" => "a sample of Inspect AI",
        "langsmith-runs" => "runs of LangSmith",
        _ => "a recording of AgentLoom",
    };
    let entry = match kind {
        "qbit-log" => ("event", "events"),
        "http-recording" => ("interaction", "interactions"),
        "openai-agents-traces" => ("trace or span", "traces and spans"),
        "claude-code-session" | "codex-rollout" => ("record", "records"),
        "atif-trajectory" => ("step", "steps"),
        "ai-sdk-messages" => ("message", "messages"),
        "ai-sdk-devtools" => ("call", "calls"),
        "otel-spans" => ("span", "spans"),
        "inspect-log" => ("message or event", "messages and events"),
        "langsmith-runs" => ("run", "runs"),
        "chat-log" | "openai-responses" | "anthropic-messages" | "fine-tuning" => {
            ("message or request", "messages and requests")
        }
        _ => ("answer or call", "answers and calls"),
    };
    let lost = match lost {
        0 => String::new(),
        lost => format!(" {} could not be read.", many(lost, ("piece", "pieces"))),
    };
    let files = if files == 1 { String::new() } else { format!(", in {files} files") };
    format!("Made of {what} with {}{files}.{lost}", many(entries, entry))
}

pub(crate) fn sessions(count: usize) -> String {
    format!("There are {count} sessions in it. Each is a transcript of its own: which one?")
}

/// What became of the entries of a file.
pub(crate) fn became(entries: usize, used: usize, kept: usize, streamed: usize) -> String {
    let mut parts = Vec::new();
    for (count, what) in [
        (used, "in the run"),
        (kept, "kept beside it in metadata.recording"),
        (streamed, "left out, since other events have the whole"),
    ] {
        if count > 0 {
            parts.push(format!("{count} {what}"));
        }
    }
    let parts = if parts.is_empty() { String::new() } else { format!(": {}", parts.join(", ")) };
    format!("{}{parts}", many(entries, ("entry read", "entries read")))
}

/// The kinds of entries that a run has no place for, each with how many there are.
pub(crate) fn kept(kinds: &[(String, usize)]) -> String {
    let kinds: Vec<String> = kinds.iter().map(|(kind, count)| format!("{kind} ({count})")).collect();
    format!("kept beside the run: {}", kinds.join(", "))
}

pub(crate) fn problem(line: u32, message: &str, help: Option<&str>) -> String {
    let help = help.map_or_else(String::new, |help| format!(" ({help})"));
    format!("line {line}: {message}{help}")
}

/// What a log of events is, in one sentence.
pub(crate) fn events(events: usize, agents: usize, waiting: usize) -> String {
    let cycle = match waiting {
        0 => String::new(),
        waiting => format!("; {waiting} of them have no place in the order, since they wait for each other"),
    };
    format!(
        "{} of {}, in the order of what followed from what{cycle}.",
        many(events, ("event", "events")),
        many(agents, ("agent", "agents"))
    )
}

pub(crate) const EVENT_COLUMNS: [&str; 6] = ["Place", "Agent", "Type", "What", "After", "Event id"];

fn many(count: usize, (one, many): (&str, &str)) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}
