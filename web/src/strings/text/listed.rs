//! Lists of texts, in the order of what they are about.

/// What each form of a document is called, and what it is for.
pub(super) static FORMS: [(&str, &str, &str); 15] = [
    ("link", "Link", "The document itself in an address: nothing is stored anywhere"),
    ("html", "HTML page", "One file to read in any browser, walked through with J and K"),
    ("zip", "Zip file", "The document, and each run of another agent inside it as a file of its own"),
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

/// What each kind of secret is called.
pub(super) static SECRETS: [(&str, &str); 18] = [
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

/// In the order of the words that the comparison knows.
pub(super) static IGNORES: [&str; 4] = ["times", "ids", "ULIDs", "usage"];

/// The tabs of the inspector, in their order.
pub(super) static LOOK_NAMES: [&str; 5] = ["Step", "State", "LLM", "Messages", "Raw"];

/// What each type of handler does.
pub(super) static HANDLER_KINDS: [(&str, &str); 9] = [
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

/// The types of events, in the order of the core's table; then any other.
pub(super) static EVENT_KINDS: [&str; 7] =
    ["Task sent", "Task received", "Answer", "Tool call", "Tool result", "Change of state", "Other event"];

/// In the order of the kinds that are known.
pub(super) static GENERATE_KINDS: [&str; 2] = ["As of OpenAI: chat completions", "As of Anthropic: messages"];

/// What each outcome of a reply is.
pub(super) static GENERATE_STATUS: [(&str, &str); 5] = [
    ("problems", "The transcript in the reply has problems:"),
    ("truncated", "The reply was cut off in the middle. Ask for the rest, or for fewer turns."),
    ("refused", "The model declines to write this. Put the description in other words."),
    ("empty", "The reply is empty."),
    ("no_document", "There is no transcript in the reply."),
];

/// The columns around the first difference of two runs.
pub(super) static AROUND_HEAD: [&str; 4] = ["Step", "Kind", "First run", "Second run"];

/// Strict, mocked tools, property; so are the hints.
pub(super) static RUN_MODES: [&str; 3] = ["Strict", "Mocked tools", "Property"];
pub(super) static RUN_HINTS: [&str; 3] = [
    "Each recorded request was made again and got the recorded answer; the recording stood in for the tools.",
    "The handlers of the document answered for the model, and its tools gave what was recorded.",
    "The handlers of the document answered for the model, its tools gave their own results, and only the assertions count.",
];

/// Matched, substituted, skipped, diverged.
pub(super) static RUN_STATUSES: [&str; 4] = ["Matched", "Substituted", "Skipped", "Diverged"];

/// The lesson of each example, by its name.
pub(super) static LESSONS: [(&str, &str); 12] = [
    ("weather_query_with_tools", "Every layer spelled out: state, messages, a tool call and assertions."),
    ("simple_greeting", "Three lines are enough: the rest is filled in."),
    ("weather_query", "A tool call and its result in shorthand."),
    ("greeting_with_description", "A description and two rounds of talk."),
    ("nested_agent_call", "An agent used as a tool, with its own run inside."),
    ("context_management", "The model sees less than the store holds: hidden and shortened messages."),
    ("error_handling", "A tool fails, the agent tries again and recovers."),
    ("structured_output", "The answer is data of the form that a schema demands, kept as text and as data."),
    ("handler_conditional", "Rules answer in the model's place: talk to them and see which one fits."),
    ("handler_fsm", "A state machine greets, looks the weather up and comes back: step through its states."),
    ("event_log_dag", "Three agents work at once: shuffle the lines and see that the order stays the same."),
    ("nondeterministic", "An answer that hangs on the order of keys: run it twice and see where it parts."),
];

/// Every text of these lists.
#[cfg(test)]
pub(super) fn all() -> Vec<&'static str> {
    let plain: [&[&str]; 8] = [
        &IGNORES,
        &LOOK_NAMES,
        &EVENT_KINDS,
        &GENERATE_KINDS,
        &AROUND_HEAD,
        &RUN_MODES,
        &RUN_HINTS,
        &RUN_STATUSES,
    ];
    let keyed: [&[(&str, &str)]; 4] = [&SECRETS, &HANDLER_KINDS, &GENERATE_STATUS, &LESSONS];
    let forms = FORMS.iter().flat_map(|(_, name, hint)| [*name, *hint]);
    let keyed = keyed.into_iter().flatten().map(|(_, text)| *text);
    plain.into_iter().flatten().copied().chain(keyed).chain(forms).collect()
}
