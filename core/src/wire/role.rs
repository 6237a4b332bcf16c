//! Who speaks, in the words of vendors and frameworks.

/// The role of the format for a role of a log; `None` when no vendor has it.
pub(crate) fn role(name: &str) -> Option<&'static str> {
    Some(match name.trim().to_ascii_lowercase().as_str() {
        "system" => "system",
        "developer" => "developer",
        "user" | "human" => "user",
        "assistant" | "model" | "ai" | "chatbot" => "assistant",
        // Before calls had ids, results had the role of a function.
        "tool" | "function" => "tool",
        _ => return None,
    })
}

/// Whether a role of a log is the model's.
pub(crate) fn is_model(name: &str) -> bool {
    role(name) == Some("assistant")
}
