//! Places, marked with `¦`, each with the subject of the hover and a part of its text.

pub(crate) const HOVERS: &[(&str, &str, &str)] = &[
    ("mes¦sages: []", "messages", "list, required"),
    ("execution:\n  - ty¦pe: llm_call", "type", "The type: "),
    ("execution:\n  - type: llm_¦call", "llm_call", "A model call, with"),
    ("execution:\n  - type: message\n    message_created: {role: us¦er}", "user", "A user message"),
    ("messages:\n  - \"us¦er: Hi\"", "user", "A user message"),
    ("messages:\n  - \"user: H¦i\"", "", ""),
    ("messages:\n  - {assistant: Hi, hid¦den: true}", "hidden", "hidden from"),
    ("messages:\n  - \"user: Hello there\"\n  - {hide: msg_¦001}", "msg_001", "Hello there"),
    ("messages:\n  - \"assistant:call a(x=1)\"\n  - \"tool:a#call¦_001: 1\"", "call_001", "a({\"x\": 1})"),
    (
        "tools: [{name: sky, description: Looks up}]\nmessages:\n  - \"assistant:call s¦ky()\"",
        "sky",
        "Looks up",
    ),
    ("tools: [{name: sky, description: Looks up}]\nmessages:\n  - \"tool:sk¦y: 1\"", "sky", "Looks up"),
    (
        "tools: [{name: sky, parameters: {properties: {at: {type: string, description: Where to look}}}}]\nmessages:\n  - \"assistant:call sky(a¦t='x')\"",
        "at",
        "Where to look",
    ),
    ("messages: []\nassertions:\n  - type: no_¦errors", "no_errors", "No tool"),
    ("messages: []\nassertions:\n  - {no_e¦rrors: true}", "no_errors", "No tool"),
    ("messages: []\nassertions:\n  - {type: contains, patt¦ern: x}", "pattern", "literal text"),
    ("handlers: {a: {type: qu¦eue}}", "queue", "in order"),
    ("handlers: {a: {type: queue, resp¦onses: []}}", "responses", "in order"),
    ("# transcript: off=T2¦01\nmessages: []", "T201", "A reference points to an unknown message."),
    (
        "# transcript: off=unknown-¦ref\nmessages: []",
        "unknown-ref",
        "A reference points to an unknown message.",
    ),
    ("{\"execution\": [{\"ty¦pe\": \"message\"}]}", "\"type\"", "The type: "),
    ("team: se¦arch\nmessages: []", "", ""),
];
