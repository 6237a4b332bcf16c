//! Places, marked with `¦`, each with the labels that are offered there; `...` means more of them.

/// The declaration of one tool for compact documents.
macro_rules! weather {
    ($rest:literal) => {
        concat!(
            "tools:\n  - {name: weather, description: Looks at the sky, parameters: {type: object, required: [city], ",
            "properties: {units: {type: string, enum: [c, f]}, city: {type: string, description: Where}, long: {type: boolean}}}}\n",
            $rest
        )
    };
}

macro_rules! full {
    ($rest:literal) => {
        concat!(
            "version: \"1.0\"\nagent_config:\n  tools: [weather]\ninitial_state:\n  message_store:\n    - {id: msg_001, role: user, content: Hello there}\n",
            $rest
        )
    };
}

pub(crate) const PLACES: &[(&str, &str)] = &[
    // Documents that have hardly begun.
    ("¦", "messages version name description tags author ..."),
    ("mess¦", "messages"),
    (
        "messages:\n  - \"user: Hi\"\n¦",
        "version name description tags author created model temperature max_tokens tools agents context handlers assertions blobs nested",
    ),
    ("name: x\nmessages:\n  - \"user: Hi\"\nto¦", "tools max_tokens"),
    ("execution: []\nfin¦", "final_state"),
    ("version: ¦\nmessages: []", "1.0"),
    ("{\"mess¦", "messages"),
    ("handlers: {}\n¦", "version name description tags author metadata tools steps"),
    // Compact items.
    (
        "messages:\n  - ¦",
        "system developer user assistant assistant:call tool context unset expect hide show",
    ),
    ("messages:\n  - \"¦", "system developer user assistant assistant:call tool"),
    ("messages:\n  - \"us¦\"", "user"),
    ("messages:\n  - \"us¦", "user"),
    ("messages:\n  - us¦", "user"),
    ("messages:\n  - \"¦: Hi\"", "system developer user assistant tool"),
    (
        "messages:\n  - \"user: Hi\"\n  ¦",
        "system developer user assistant assistant:call tool context unset expect hide show",
    ),
    ("messages: [\"as¦\"]", "assistant assistant:call"),
    ("{\"messages\": [\"us¦\"]}", "user"),
    ("{\"messages\": [\"us¦", "user"),
    ("messages:\n  - \"user(¦): Hi\"", "hidden agent"),
    ("messages:\n  - \"user(hidden, a¦", "agent"),
    ("messages:\n  - \"user: call me ¦\"", ""),
    ("messages:\n  - {¦}", "system developer user assistant tool context unset expect hide show"),
    ("messages:\n  - {us¦", "user"),
    ("messages:\n  - {assistant: Hi, ¦}", "call hidden agent id"),
    ("messages:\n  - {tool: weather, ¦}", "result error hidden agent id message_id"),
    ("messages:\n  - {user: Hi, hidden: ¦}", "true false"),
    ("messages:\n  - user: Hi\n    ¦", "hidden agent id"),
    // Calls and tools.
    (weather!("messages:\n  - \"assistant:¦\""), "call"),
    (weather!("messages:\n  - \"assistant:c¦\""), "call"),
    (weather!("messages:\n  - \"assistant:call ¦\""), "weather"),
    (weather!("messages:\n  - \"assistant:call we¦"), "weather"),
    (weather!("messages:\n  - \"assistant:call weather(¦)\""), "city units long"),
    (weather!("messages:\n  - \"assistant:call weather(city='Rome', ¦)\""), "units long"),
    (weather!("messages:\n  - \"assistant:call weather(city='a, b(', u¦"), "units"),
    (weather!("messages:\n  - \"assistant:call weather(units=¦)\""), "c f"),
    (weather!("messages:\n  - \"assistant:call weather(units='¦')\""), "c f"),
    (weather!("messages:\n  - \"assistant:call weather(long=t¦)\""), "true"),
    (weather!("messages:\n  - \"assistant:call weather(city='x'), ¦\""), "weather"),
    (weather!("messages:\n  - {assistant: Hi, call: \"weather(¦)\"}"), "city units long"),
    (weather!("messages:\n  - \"tool:¦\""), "weather"),
    (weather!("messages:\n  - \"¦\""), "system developer user assistant assistant:call tool:weather tool"),
    ("messages:\n  - \"assistant:call search()\"\n  - \"tool:¦\"", "search"),
    ("messages:\n  - \"assistant:call a(), b()\"\n  - \"tool:b#¦\"", "call_002"),
    ("messages:\n  - \"assistant:call a(), b()\"\n  - \"tool:¦\"\n", "a b"),
    ("messages:\n  - \"user: Hi\"\n  - {tool: ¦}\n  - \"assistant:call a()\"", "a"),
    (
        weather!("messages:\n  - assistant: Hi\n    call:\n      name: weather\n      arguments: {¦}"),
        "city units long",
    ),
    (weather!("messages:\n  - {assistant: Hi, call: [{name: w¦}]}"), "weather"),
    (weather!("messages:\n  - {assistant: Hi, call: {name: ¦}}"), "weather"),
    (weather!("messages:\n  - {assistant: Hi, call: [{name: weather, arguments: {¦}}]}"), "city units long"),
    // A list that has not begun.
    ("messages:\n  ¦", "system developer user assistant assistant:call tool context unset expect hide show"),
    ("messages:\n  us¦\nname: x", "user"),
    ("execution:\n  ¦", "type turn timestamp ..."),
    (
        "version: \"1.0\"\n¦",
        "messages name description tags author metadata agent_config agents initial_state execution final_state ...",
    ),
    ("version: \"1.0\"\nexe¦", "execution"),
    // References of a compact document.
    ("messages:\n  - \"user: Hi\"\n  - \"assistant: Hello\"\n  - {hide: ¦}", "msg_001 msg_002"),
    ("messages:\n  - \"user: Hi\"\n  - {hide: [msg_¦]}", "msg_001"),
    ("messages:\n  - {user: Hi, id: first}\n  - {expect: {contains: H, message: ¦}}", "first"),
    // Assertions.
    (
        "messages:\n  - \"user: Hi\"\n  - {expect: {¦}}",
        "contains not_contains matches equals tool_called ...",
    ),
    ("messages:\n  - \"user: Hi\"\n  - expect:\n      tool_c¦", "tool_called tool_call_count"),
    (
        "messages:\n  - \"user: Hi\"\n  - {expect: {type: cont¦}}",
        "contains context_value not_contains final_response_contains",
    ),
    (
        "messages:\n  - \"user: Hi\"\n  - {expect: {type: contains, ¦}}",
        "pattern message ignore_case description agent",
    ),
    ("messages:\n  - \"user: Hi\"\n  - {expect: {contains: H, ¦}}", "message ignore_case"),
    (weather!("messages:\n  - \"user: Hi\"\n  - {expect: {tool_called: ¦}}"), "weather"),
    ("messages: []\nassertions:\n  - type: ¦", "contains not_contains matches ..."),
    // The full form.
    (full!("execution:\n  - ¦"), "type turn timestamp ..."),
    (full!("execution:\n  - type: ¦"), "llm_call tool_call message"),
    (full!("execution:\n  - turn: 1\n    type: \"¦\""), "llm_call tool_call message"),
    (
        full!("execution:\n  - type: llm_call\n    ¦"),
        "llm_response turn timestamp agent messages_sent_to_llm llm_config llm_error message_created state_changes",
    ),
    (
        full!("execution:\n  - type: tool_call\n    ¦"),
        "tool_call turn timestamp agent message_created state_changes",
    ),
    (full!("execution:\n  - ¦\n    type: message"), "message_created turn timestamp agent state_changes"),
    (full!("execution:\n  - type: llm_call\n    messages_sent_to_llm:\n      - ref: ¦"), "msg_001"),
    (full!("execution:\n  - type: llm_call\n    messages_sent_to_llm: [{ref: \"¦\"}]"), "msg_001"),
    (
        full!("execution:\n  - type: llm_call\n    llm_response:\n      fin¦\n      content: Hi\n"),
        "finish_reason",
    ),
    (
        full!(
            "execution:\n  - type: llm_call\n    llm_response: {tool_calls: [{id: call_9, function: {name: ¦}}]}"
        ),
        "weather",
    ),
    (
        full!(
            "execution:\n  - type: llm_call\n    llm_response: {tool_calls: [{id: call_9, function: {name: look}}]}\n  - type: tool_call\n    tool_call:\n      id: ¦\n      tool_name: look\n"
        ),
        "call_9",
    ),
    (
        full!("execution:\n  - type: message\n    message_created:\n      role: ¦\n"),
        "system developer user assistant tool",
    ),
    (full!("execution:\n  - type: message\n    message_created: {role: user, visible: f¦}"), "false"),
    (full!("execution:\n  - type: message\n    message_created: ¦"), "role id ulid timestamp ..."),
    (full!("execution:\n  - type: message\n    state_changes:\n      visible:\n        ¦"), "msg_001"),
    (full!("execution:\n  - type: message\n    state_changes:\n      visible: {msg_001: ¦}"), "true false"),
    (full!("execution: []\nfinal_state:\n  visible_messages: [¦]"), "msg_001 ref"),
    (full!("execution: []\nfinal_state:\n  message_store:\n    - ref: msg¦\n"), "msg_001"),
    (full!("execution: []\nfinal_state:\n  assertions:\n    - type: contains\n      message: ¦"), "msg_001"),
    (full!("execution: []\nfinal_state:\n  assertions:\n    - type: tool_called\n      tool: ¦"), "weather"),
    (
        full!("execution: []\nfinal_state:\n  assertions:\n    - type: tool_sequence\n      mode: s¦"),
        "strict subset superset",
    ),
    // The partial form, and a nested run.
    (
        "name: x\nexecution:\n  - type: tool_call\n    tool_call: {tool_name: ask, result: {nested_transcript: {execution: [{type: ¦}]}}}",
        "llm_call tool_call message",
    ),
    // JSON.
    ("{\"version\": \"1.0\", \"execution\": [{\"type\": \"¦\"}]}", "llm_call tool_call message"),
    ("{\n  \"execution\": [\n    {\"type\": \"message\", \"message_created\": {\"ro¦\n    }\n  ]\n}", "role"),
    (
        "{\n  \"execution\": [\n    {\"type\": \"message\", ¦}\n  ]\n}",
        "message_created turn timestamp agent state_changes",
    ),
    (
        "{\"execution\": [{\"type\": \"message\", \"message_created\": {\"role\": ¦}}]}",
        "system developer user assistant tool",
    ),
    // Handlers.
    ("handlers:\n  a:\n    ¦", "type"),
    (
        "handlers:\n  a:\n    type: ¦",
        "queue conditional transcript state_machine composite tool_sequence repeat fail recording",
    ),
    ("handlers:\n  a: {type: queue, ¦}", "responses"),
    ("handlers:\n  a:\n    type: composite\n    strategy: ¦\n", "first_match in_order round_robin"),
    ("handlers:\n  a: {type: conditional, rules: [{when: {last_user_c¦}}]}", "last_user_contains"),
    // Expressions in quotes: variables, and functions once something is typed.
    ("handlers:\n  a: {type: conditional, rules: [{when: \"call_¦\"}]}", "call_count"),
    ("handlers:\n  a: {type: conditional, rules: [{when: \"conta¦\"}]}", "contains"),
    ("handlers:\n  a: {type: conditional, rules: [{when: 'last_u¦'}]}", "last_user"),
    ("handlers:\n  a: {type: conditional, rules: [{when: \"contains(last_us¦\"}]}", "last_user"),
    ("handlers:\n  a: {type: conditional, rules: [{when: \"last_user == 'la¦'\"}]}", ""),
    ("handlers:\n  a: {type: conditional, rules: [{when: \"context.la¦\"}]}", ""),
    ("messages: []\nassertions:\n  - {expr: \"call¦\"}", "calls"),
    ("messages: []\nassertions:\n  - {type: expr, expr: \"leng¦\"}", "length"),
    (
        "handlers:\n  a:\n    type: state_machine\n    initial: ¦\n    states:\n      greet: {respond: Hi, next: ask}\n      ask: {respond: What}\n",
        "greet ask",
    ),
    (
        "handlers:\n  a:\n    type: state_machine\n    initial: greet\n    states:\n      greet: {respond: Hi, next: ¦}\n      ask: {respond: What}\n",
        "greet ask",
    ),
    (
        "handlers:\n  a:\n    type: state_machine\n    initial: greet\n    states:\n      greet:\n        respond: Hi\n        transitions:\n          - to: a¦\n      ask: {respond: What}\n",
        "ask",
    ),
    // Comments.
    ("# transcript: ¦\nmessages: []\n", "off info warning error"),
    ("# transcript: off=T20¦\nmessages: []\n", "T201 T202 T203 ..."),
    ("# transcript: off=T201,unknown-r¦\nmessages: []\n", "unknown-role"),
    ("# a remark ¦\nmessages: []\n", ""),
    // Broken above and below.
    ("messages:\n  - \"user: Hi\n  - {user: [}\n  - \"as¦\"\n  - {hide: }}\n", "assistant assistant:call"),
    ("version: \"1.0\"\nmetadata: {name: 'x\nexecution:\n  - type: ¦\n", "llm_call tool_call message"),
    ("version: \"1.0\"\nmetadata:\n  description: |\n    a: b\n    \"open\nexecution:\n  - ty¦\n", "type"),
    // Texts say what their author likes.
    ("version: \"1.0\"\nmetadata:\n  description: |\n    role¦\nexecution: []\n", ""),
    ("messages:\n  - \"user: Hi\"\nname: ¦", ""),
];

/// A tool with quotes in its names.
macro_rules! quotes {
    ($rest:literal) => {
        concat!(
            "tools: [{name: trip, parameters: {properties: {to: {type: string, enum: [\"O'slo\"]}}}}, {name: \"l'eau\"}]\n",
            $rest
        )
    };
}

pub(crate) const INSERTED: &[(&str, &str)] = &[
    ("messages:\n  ¦", "messages:\n  - \"system: ¦\""),
    ("messages:\n  us¦\nname: x", "messages:\n  - \"user: ¦\"\nname: x"),
    ("execution:\n¦", "execution:\nversion: ¦"),
    ("execution:\n  ¦", "execution:\n  - type: ¦"),
    (
        quotes!("messages:\n  - 'assistant:call trip(to=¦)'"),
        quotes!("messages:\n  - 'assistant:call trip(to=\"O''slo\"¦)'"),
    ),
    (
        quotes!("messages:\n  - 'assistant:call trip(to=\"O''¦\")'"),
        quotes!("messages:\n  - 'assistant:call trip(to=\"O''slo\"¦)'"),
    ),
    (
        quotes!("messages:\n  - \"assistant:call trip(to=¦)\""),
        quotes!("messages:\n  - \"assistant:call trip(to=\\\"O'slo\\\"¦)\""),
    ),
    (quotes!("messages:\n  - 'tool:l''¦'"), quotes!("messages:\n  - 'tool:l''eau: ¦'")),
    ("messages:\n  - us¦", "messages:\n  - \"user: ¦\""),
    ("messages:\n  -¦", "messages:\n  - \"system: ¦\""),
    ("messages:\n  - \"us¦", "messages:\n  - \"user: ¦\""),
    ("messages:\n  - 'us¦'", "messages:\n  - 'user: ¦'"),
    ("messages:\n  - {us¦}", "messages:\n  - {user: ¦}"),
    ("{\"messages\": [us¦]}", "{\"messages\": [\"user: ¦\"]}"),
    ("execution:\n  - type:¦", "execution:\n  - type: llm_call¦"),
    ("execution:\n  - type: 'm¦'", "execution:\n  - type: 'message'¦"),
    ("{\"execution\": [{\"type\": m¦}]}", "{\"execution\": [{\"type\": \"message\"¦}]}"),
    ("{\"execution\": [{ty¦}]}", "{\"execution\": [{\"type\": ¦}]}"),
    ("{\"execution\": [{\"ty¦\": \"message\"}]}", "{\"execution\": [{\"type\"¦: \"message\"}]}"),
    (
        "execution:\n  - type: message\n    message_created: ¦",
        "execution:\n  - type: message\n    message_created: \n      role: ¦",
    ),
    (
        weather!("messages:\n  - \"assistant:call weather(¦)\""),
        weather!("messages:\n  - \"assistant:call weather(city='¦')\""),
    ),
    (
        weather!("messages:\n  - 'assistant:call weather(¦)'"),
        weather!("messages:\n  - 'assistant:call weather(city=\"¦\")'"),
    ),
    (
        weather!("messages:\n  - \"assistant:call ¦\""),
        weather!("messages:\n  - \"assistant:call weather(¦)\""),
    ),
    (weather!("messages:\n  - \"tool:w¦\""), weather!("messages:\n  - \"tool:weather: ¦\"")),
    (
        "messages:\n  - {user: Hi, id: \"a, b\"}\n  - {hide: ¦}",
        "messages:\n  - {user: Hi, id: \"a, b\"}\n  - {hide: \"a, b\"¦}",
    ),
];
