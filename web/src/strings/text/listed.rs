//! Lists of texts, in the order of what they are about.

/// What each form of a document that only the page has is called, and what it is for.
pub(super) static FORMS: [(&str, &str, &str); 4] = [
    ("link", "Link", "The link contains the whole document"),
    ("zip", "Zip file", "The document, with each nested run as a separate file"),
    ("text", "Original source", "The text of the document"),
    ("embed", "Embed in a page", "HTML to show it in another page"),
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

/// In the order of the names that the comparison knows.
pub(super) static IGNORES: [&str; 5] = ["times", "ids", "ULIDs", "usage", "metadata"];

/// The tabs of the inspector, in their order.
pub(super) static LOOK_NAMES: [&str; 5] = ["Step", "State", "LLM", "Messages", "Raw"];

/// What each type of handler does.
pub(super) static HANDLER_KINDS: [(&str, &str); 9] = [
    ("queue", "returns its responses in order"),
    ("conditional", "returns the response of the first matching rule"),
    ("transcript", "follows a conversation"),
    ("state_machine", "responds for its state, then moves to the next"),
    ("composite", "uses other handlers"),
    ("tool_sequence", "calls tools in order, then responds"),
    ("repeat", "repeats one response"),
    ("fail", "fails, then uses another handler"),
    ("recording", "forwards and records every call"),
];

/// The types of events, in the order of the core's table; then any other.
pub(super) static EVENT_KINDS: [&str; 7] =
    ["Task sent", "Task received", "Response", "Tool call", "Tool result", "State change", "Other event"];

/// In the order of the kinds that are known.
pub(super) static GENERATE_KINDS: [&str; 2] = ["OpenAI: chat completions", "Anthropic: messages"];

/// What each outcome of a response is, but for one in order.
pub(super) static GENERATE_STATUS: [&str; 5] = [
    "The transcript in the response has problems:",
    "The response was cut off. Ask for the rest, or for fewer turns.",
    "The model declined. Change the description.",
    "The response is empty.",
    "There is no transcript in the response.",
];

/// The columns around the first difference of two runs.
pub(super) static AROUND_HEAD: [&str; 4] = ["Step", "Kind", "First run", "Second run"];

/// Strict, mocked tools, property; so are the hints.
pub(super) static RUN_MODES: [&str; 3] = ["Strict", "Mocked tools", "Property"];
pub(super) static RUN_HINTS: [&str; 3] = [
    "Each recorded request was repeated with the recorded responses and tool results.",
    "The handlers responded instead of the model; tool results were recorded.",
    "The handlers responded instead of the model, with the results of the document's tools; only assertions count.",
];

/// Matched, substituted, skipped, diverged.
pub(super) static RUN_STATUSES: [&str; 4] = ["Matched", "Substituted", "Skipped", "Diverged"];

/// The lesson of each example, by its name.
pub(super) static LESSONS: [(&str, &str); 12] = [
    ("weather_query_with_tools", "Every layer spelled out: state, messages, a tool call and assertions."),
    ("simple_greeting", "Three lines are enough: defaults fill in the rest."),
    ("weather_query", "A tool call and its result in shorthand."),
    ("greeting_with_description", "A two-turn conversation with a description."),
    ("nested_agent_call", "An agent used as a tool, with its own run inside."),
    ("context_management", "The model sees less than the store holds: hidden and shortened messages."),
    ("error_handling", "A tool fails, and the agent retries and recovers."),
    ("structured_output", "Structured output that matches a JSON Schema, as text and as data."),
    ("handler_conditional", "Rules respond instead of a model: send a message and see which one matches."),
    ("handler_fsm", "A state machine greets, looks up the weather and returns: step through its states."),
    ("event_log_dag", "Three agents work in parallel: shuffle the lines, and the order stays the same."),
    ("nondeterministic", "The response depends on key order: run it twice and see where the runs diverge."),
];

/// Every text of these lists.
#[cfg(test)]
pub(super) fn all() -> Vec<&'static str> {
    let plain: [&[&str]; 9] = [
        &IGNORES,
        &LOOK_NAMES,
        &EVENT_KINDS,
        &GENERATE_KINDS,
        &GENERATE_STATUS,
        &AROUND_HEAD,
        &RUN_MODES,
        &RUN_HINTS,
        &RUN_STATUSES,
    ];
    let keyed: [&[(&str, &str)]; 3] = [&SECRETS, &HANDLER_KINDS, &LESSONS];
    let own = FORMS.iter().flat_map(|(_, title, purpose)| [*title, *purpose]);
    let exported = transcript_core::export::formats().iter();
    let forms = own.chain(exported.flat_map(|format| [format.title, format.purpose]));
    let keyed = keyed.into_iter().flatten().map(|(_, text)| *text);
    plain.into_iter().flatten().copied().chain(keyed).chain(forms).collect()
}
