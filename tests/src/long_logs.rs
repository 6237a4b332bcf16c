//! Long logs of every kind that is read, sound and broken, of as many entries as are requested.

/// The paths and texts of the files of a log with so many entries.
type Made = Box<dyn Fn(usize) -> Vec<(String, String)>>;

/// What gives one of the lines or entries, by its place.
type Line = fn(usize) -> String;

/// A kind of log.
pub struct LongLog {
    /// What its entries are.
    pub name: String,
    /// The word for its format.
    pub from: &'static str,
    made: Made,
}

impl LongLog {
    /// The paths and texts of its files, of so many entries in all, or a few times as many where entries belong together.
    #[must_use]
    pub fn files(&self, entries: usize) -> Vec<(String, String)> {
        (self.made)(entries)
    }
}

/// The kinds of logs.
#[must_use]
pub fn long_logs() -> Vec<LongLog> {
    let all = sessions().into_iter().chain(conversations());
    let log = |(name, made): (String, Made)| {
        let path = made(1).first().map(|(path, _)| path.clone()).unwrap_or_default();
        let from = match path.as_str() {
            "r" => "agentloom",
            "traces" => "openai-agents",
            "claude" => "claude-code",
            "chat" => "openai-chat",
            "devtools" => "ai-sdk-devtools",
            "printed" => "otel",
            "exec" => "codex",
            "http" => "http",
            "codex" => "codex",
            "atif" => "atif",
            "ai-sdk" => "ai-sdk",
            "otel" => "otel",
            "inspect" => "inspect",
            "langsmith" => "langsmith",
            "chatgpt" => "chatgpt",
            _ => "qbit",
        };
        LongLog { name, from, made }
    };
    all.map(log).collect()
}

fn sessions() -> Vec<(String, Made)> {
    let turn = |at: usize| {
        let head = format!(r#"{{"_timestamp":"2026-01-14T03:00:00.{at:09}Z","#);
        format!(
            "{head}\"type\":\"started\",\"turn_id\":\"t{at}\"}}\n\
             {head}\"type\":\"user_message\",\"content\":\"Question {at}\"}}\n\
             {head}\"type\":\"tool_auto_approved\",\"request_id\":\"c{at}\",\"tool_name\":\"read\",\"args\":{{\"n\":{at}}},\"reason\":\"r\"}}\n\
             {head}\"type\":\"tool_result\",\"request_id\":\"c{at}\",\"tool_name\":\"read\",\"result\":\"x\",\"success\":true}}\n\
             {head}\"type\":\"completed\",\"response\":\"Answer {at}\"}}\n"
        )
    };
    let unterminated = |at: usize| {
        format!("{{\"_timestamp\":\"2026-01-14T03:00:00Z\",\"type\":\"completed\",\"response\":\"{at}\n")
    };
    let open = |at: usize| format!("{{\"_timestamp\":\"2026-01-14T03:00:00Z\",\"x\":[[[{{\"a\":{at}\n");
    let escape = |at: usize| {
        format!(
            "{{\"_timestamp\":\"2026-01-14T03:00:00Z\",\"type\":\"completed\",\"response\":\"\\x{at}\"}}\n"
        )
    };
    let words = |at: usize| format!("no JSON at all {at}\n");
    let unknown =
        |at: usize| format!("{{\"_timestamp\":\"2026-01-14T03:00:00Z\",\"type\":\"started_{at}\"}}\n");
    let waiting = |at: usize| {
        format!(
            "{{\"_timestamp\":\"2026-01-14T03:00:00Z\",\"type\":\"tool_request\",\"tool_name\":\"t\",\"request_id\":\"{at}\"}}\n"
        )
    };
    let kinds: [(&str, Line); 7] = [
        ("turns", turn),
        ("unterminated", unterminated),
        ("open", open),
        ("escape", escape),
        ("words", words),
        ("unknown", unknown),
        ("waiting", waiting),
    ];
    let mut all: Vec<(String, Made)> = Vec::new();
    let one = |text: String| vec![("s/transcript.json".to_owned(), text)];
    for (name, line) in kinds {
        all.push((
            name.to_owned(),
            Box::new(move |count: usize| one((0..count).map(line).collect::<String>())),
        ));
        all.push((
            format!("{name} in one line"),
            Box::new(move |count: usize| {
                one(format!("[{}]", (0..count).map(line).collect::<String>().trim_end().replace('\n', ",")))
            }),
        ));
    }
    all.push(("agents".to_owned(), Box::new(|count: usize| {
        let mut files = Vec::new();
        let mut main = String::new();
        for at in 0..count / 10 {
            main += &format!("{{\"_timestamp\":\"2026-01-14T03:00:00Z\",\"type\":\"tool_request\",\"tool_name\":\"sub_agent_a\",\"request_id\":\"c{at}\",\"args\":{{}}}}\n{{\"_timestamp\":\"2026-01-14T03:00:00Z\",\"type\":\"tool_result\",\"tool_name\":\"sub_agent_a\",\"success\":true,\"request_id\":\"c{at}\",\"result\":{{}}}}\n");
            files.push((format!("s/subagents/a-c{at}/transcript.json"), format!("{{\"_timestamp\":\"2026-01-14T03:00:00Z\",\"type\":\"sub_agent_tool_request\",\"agent_id\":\"a\",\"tool_name\":\"t\",\"request_id\":\"r\",\"args\":{{}},\"parent_request_id\":\"c{at}\"}}\n")));
        }
        files.push(("s/transcript.json".to_owned(), main));
        files
    })));
    for which in ["steps", "hashes", "paired", "result", "turns of one step"] {
        all.push((format!("recording {which}"), Box::new(move |count: usize| {
            let key = |at: usize| if which == "hashes" { format!("{at:064}") } else { format!("s{at}") };
            let text = match which {
                "turns of one step" => format!("{{\"s\": [{}]}}", (0..count).map(|at| format!("{{\"content\": \"answer {at}\", \"model\": \"m\"}}")).collect::<Vec<_>>().join(",\n")),
                _ => format!("{{{}}}", (0..count).map(|at| format!("\"{}\": {{\"content\": \"answer {at}\", \"model\": \"m\", \"usage\": {{}}}}", key(at))).collect::<Vec<_>>().join(",\n")),
            };
            let mut files = vec![("r".to_owned(), text)];
            if which == "paired" {
                files.push(("calls".to_owned(), format!("[{}]", (0..count).map(|at| format!("{{\"step_id\": \"s{at}\", \"model\": \"m\", \"messages\": [{{\"role\": \"user\", \"content\": \"q\"}}], \"matched\": true}}")).collect::<Vec<_>>().join(",\n"))));
            }
            if which == "paired" || which == "result" {
                files.push(("result".to_owned(), format!("{{\"workflow_name\": \"w\", \"step_results\": {{{}}}}}", (0..count).map(|at| format!("\"s{at}\": {{\"model\": \"m\", \"output\": \"answer {at}\"}}")).collect::<Vec<_>>().join(",\n"))));
            }
            files
        })));
    }
    let failed = |at: usize| {
        format!(
            "{{\"scope\": \"https://m.test:443\", \"method\": \"POST\", \"path\": \"/v1/chat/completions\", \"status\": 500, \"body\": {{\"messages\": [{{\"role\": \"user\", \"content\": \"Hi\"}}]}}, \"response\": {{\"error\": {{\"message\": \"no {at}\"}}}}}}"
        )
    };
    let other = |at: usize| {
        format!(
            "{{\"scope\": \"https://o.test:443\", \"method\": \"GET\", \"path\": \"/{at}\", \"status\": 200, \"response\": {{\"n\": {at}}}}}"
        )
    };
    let kinds: [(&str, Line); 2] = [("calls that fail", failed), ("other services", other)];
    for (name, entry) in kinds {
        all.push((
            format!("recorded HTTP, {name}"),
            Box::new(move |count: usize| {
                let entries: Vec<String> = (0..count).map(entry).collect();
                vec![("http".to_owned(), format!("[{}]", entries.join(",\n")))]
            }),
        ));
    }
    let span = |at: usize, id: &str, parent: &str, data: &str| {
        format!(
            "{{\"object\": \"trace.span\", \"trace_id\": \"t\", \"id\": \"{id}{at}\", \"parent_id\": \"{parent}\", \"started_at\": \"2026-01-14T03:00:00.{at:06}Z\", \"span_data\": {data}}}\n"
        )
    };
    for which in ["answers", "tools", "inside one another"] {
        all.push((format!("traces, {which}"), Box::new(move |count: usize| {
            let spans = (0..count).map(|at| match which {
                "answers" => span(at, "s", "a", &format!("{{\"type\": \"generation\", \"input\": [{{\"role\": \"user\", \"content\": \"{at}\"}}], \"output\": [{{\"role\": \"assistant\", \"content\": \"x\"}}]}}")),
                "tools" => span(at, "s", "a", &format!("{{\"type\": \"{}\", \"name\": \"f\", \"input\": \"{at}\"}}", if at % 2 == 0 { "response" } else { "function" })),
                _ => span(at, "s", &format!("s{}", at + 1), "{\"type\": \"custom\"}"),
            });
            vec![("traces".to_owned(), spans.collect())]
        })));
    }
    let step = |at: usize| {
        format!(
            "{{\"source\": \"agent\", \"message\": \"m{at}\", \"tool_calls\": [{{\"tool_call_id\": \"c{at}\", \"function_name\": \"f\", \"arguments\": {{}}}}], \"observation\": {{\"results\": [{{\"source_call_id\": \"c{at}\", \"content\": \"r\"}}]}}}}"
        )
    };
    let chat = |at: usize| {
        format!(
            "{{\"role\": \"assistant\", \"parts\": [{{\"type\": \"step-start\"}}, {{\"type\": \"tool-f\", \"toolCallId\": \"c{at}\", \"state\": \"output-available\", \"input\": {{}}, \"output\": {at}}}]}}"
        )
    };
    let message = |at: usize| {
        format!(
            "{{\"id\": \"m{at}\", \"role\": \"assistant\", \"content\": \"\", \"tool_calls\": [{{\"id\": \"c{at}\", \"function\": \"f\", \"arguments\": {{}}}}]}}, {{\"role\": \"tool\", \"tool_call_id\": \"c{at}\", \"content\": \"r\"}}"
        )
    };
    let event = |at: usize| {
        format!(
            "{{\"event\": \"model\", \"output\": {{\"choices\": [{{\"message\": {{\"id\": \"m{at}\"}}}}]}}}}, {{\"event\": \"tool\", \"id\": \"c{at}\", \"result\": \"r\"}}"
        )
    };
    let run = |at: usize| {
        format!(
            "{{\"id\": \"r{at}\", \"trace_id\": \"t\", \"run_type\": \"llm\", \"dotted_order\": \"{at:09}\", \"inputs\": {{\"messages\": [{{\"role\": \"user\", \"content\": \"q{at}\"}}]}}, \"outputs\": {{\"role\": \"assistant\", \"content\": \"a\"}}}}"
        )
    };
    let chat_span = |at: usize| {
        format!(
            "{{\"traceId\": \"t\", \"spanId\": \"s{at}\", \"startTimeUnixNano\": \"{}\", \"attributes\": [{{\"key\": \"gen_ai.operation.name\", \"value\": {{\"stringValue\": \"chat\"}}}}, {{\"key\": \"gen_ai.prompt.0.content\", \"value\": {{\"stringValue\": \"q{at}\"}}}}, {{\"key\": \"gen_ai.completion.0.content\", \"value\": {{\"stringValue\": \"a\"}}}}]}}",
            1_777_629_600_000_000_000_u64 + at as u64
        )
    };
    let listed =
        |entry: &dyn Fn(usize) -> String, count: usize| (0..count).map(entry).collect::<Vec<_>>().join(",\n");
    // Every second run is inside of the one before it.
    let began = |at: usize| {
        format!(
            "{{\"id\": \"r{at}\", \"parent_run_id\": \"r{}\", \"parent_step_id\": \"s{}\"}}",
            at.wrapping_sub(at % 2),
            at.wrapping_sub(1)
        )
    };
    let called = |at: usize| {
        let content = "{\\\"content\\\":[{\\\"type\\\":\\\"tool-call\\\",\\\"toolCallId\\\":\\\"c\\\",\\\"toolName\\\":\\\"t\\\"}]}";
        format!(
            "{{\"id\": \"s{at}\", \"run_id\": \"r{}\", \"step_number\": {at}, \"input\": \"{{}}\", \"output\": \"{content}\"}}",
            at % 2
        )
    };
    let printed = |at: usize| {
        format!(
            "{{\"context\": {{\"trace_id\": \"0x1\", \"span_id\": \"0x{at}\"}}, \"attributes\": {{\"openinference.span.kind\": \"LLM\",\n\"llm.input_messages.{at}.message.content\": \"q{at}\", \"llm.output_messages.0.message.content\": \"a\"}}}}"
        )
    };
    let exec = |at: usize| {
        let item = format!(
            "{{\"id\": \"item_{}\", \"type\": \"command_execution\", \"command\": \"{at}\"}}",
            at % 7
        );
        let kind = if at.is_multiple_of(3) { "completed" } else { "started" };
        format!("{{\"type\": \"item.{kind}\", \"item\": {item}}}")
    };
    for which in ["atif", "ai-sdk", "inspect", "langsmith", "otel", "devtools", "printed", "exec"] {
        all.push((
            which.to_owned(),
            Box::new(move |count: usize| {
                let text = match which {
                    "atif" => format!(
                        "{{\"schema_version\": \"ATIF-v1.8\", \"agent\": {{}}, \"steps\": [{}]}}",
                        listed(&step, count)
                    ),
                    "ai-sdk" => format!("[{}]", listed(&chat, count)),
                    "inspect" => format!(
                        "{{\"eval\": {{}}, \"samples\": [{{\"messages\": [{}], \"events\": [{}]}}]}}",
                        listed(&message, count),
                        listed(&event, count)
                    ),
                    "langsmith" => format!("[{}]", listed(&run, count)),
                    "devtools" => format!(
                        "{{\"runs\": [{}], \"steps\": [{}]}}",
                        listed(&began, count),
                        listed(&called, count)
                    ),
                    "printed" => (0..count).map(printed).collect::<Vec<_>>().join("\n"),
                    "exec" => (0..count).map(exec).collect::<Vec<_>>().join("\n"),
                    _ => format!(
                        "{{\"resourceSpans\": [{{\"scopeSpans\": [{{\"spans\": [{}]}}]}}]}}",
                        listed(&chat_span, count)
                    ),
                };
                vec![(which.to_owned(), text)]
            }),
        ));
    }
    all
}

/// Sessions and chats: turns, forks, agents, and results that nothing waits for.
fn conversations() -> Vec<(String, Made)> {
    let claude = |kind: &str, id: String, parent: String, content: String, more: &str| {
        let message = format!("{{\"id\":\"m{id}\",\"role\":\"{kind}\",\"content\":{content}}}");
        format!(
            "{{\"type\":\"{kind}\",\"uuid\":\"{id}\",\"parentUuid\":\"{parent}\",\"sessionId\":\"s\",\"message\":{message}{more}}}\n"
        )
    };
    let content = |text: &str| format!("[{{\"type\":\"text\",\"text\":\"{text}\"}}]");
    let call = |at: usize| {
        format!(
            "[{{\"type\":\"tool_use\",\"id\":\"c{at}\",\"name\":\"Task\",\"input\":{{\"prompt\":\"do {at}\"}}}}]"
        )
    };
    let result =
        |at: usize| format!("[{{\"type\":\"tool_result\",\"tool_use_id\":\"c{at}\",\"content\":\"x\"}}]");
    let side = ",\"isSidechain\":true";
    let mut all: Vec<(String, Made)> = Vec::new();
    for which in ["turns", "forks", "results of nothing", "agents", "lost lines"] {
        all.push((
            format!("claude, {which}"),
            Box::new(move |count: usize| {
                let line = |at: usize| match which {
                    "turns" => claude(
                        if at.is_multiple_of(2) { "user" } else { "assistant" },
                        format!("{}", at + 1),
                        format!("{at}"),
                        content("x"),
                        "",
                    ),
                    "forks" => claude("user", format!("{}", at + 1), "1".to_owned(), content("x"), ""),
                    "results of nothing" => {
                        claude("user", format!("{}", at + 1), format!("{at}"), result(at), "")
                    }
                    "agents" => {
                        claude("assistant", format!("a{at}"), format!("u{}", at.max(1) - 1), call(at), "")
                            + &claude("user", format!("s{at}"), String::new(), format!("\"do {at}\""), side)
                            + &claude("user", format!("u{at}"), format!("a{at}"), result(at), "")
                    }
                    _ => format!("{{\"type\":\"user\",\"uuid\":\"{at}\n"),
                };
                vec![("claude".to_owned(), (0..count).map(line).collect())]
            }),
        ));
    }
    let item = |payload: String| {
        format!(
            "{{\"timestamp\":\"2026-05-01T10:00:00Z\",\"type\":\"response_item\",\"payload\":{payload}}}\n"
        )
    };
    for which in ["calls", "parallel calls", "events"] {
        all.push((format!("codex, {which}"), Box::new(move |count: usize| {
            let call = |at: usize| item(format!("{{\"type\":\"function_call\",\"name\":\"f\",\"arguments\":\"{{}}\",\"call_id\":\"c{at}\"}}"));
            let output = |at: usize| item(format!("{{\"type\":\"function_call_output\",\"call_id\":\"c{at}\",\"output\":\"x\"}}"));
            let event = |at: usize| format!("{{\"timestamp\":\"2026-05-01T10:00:00Z\",\"type\":\"event_msg\",\"payload\":{{\"type\":\"agent_message\",\"message\":\"{at}\"}}}}\n");
            let text: String = match which {
                "calls" => (0..count).map(|at| call(at) + &output(at)).collect(),
                "parallel calls" => (0..count).map(call).chain((0..count).map(output)).collect(),
                _ => (0..count).map(event).collect(),
            };
            vec![("codex".to_owned(), text)]
        })));
    }
    all.push(("chatgpt, one branch".to_owned(), Box::new(chatgpt)));
    for which in ["messages", "lines", "results of nothing", "trajectory"] {
        all.push((
            format!("chat, {which}"),
            Box::new(move |count: usize| {
                let message = |at: usize| {
                    format!(
                        "{{\"role\":\"{}\",\"content\":\"{at}\"}}",
                        if at.is_multiple_of(2) { "user" } else { "assistant" }
                    )
                };
                let text = match which {
                    "messages" => format!("[{}]", (0..count).map(message).collect::<Vec<_>>().join(",\n")),
                    "lines" => (0..count).map(|at| message(at) + "\n").collect(),
                    // The data next to the messages is as large as they are.
                    "trajectory" => format!(
                        "{{\"info\":{{\"submission\":\"{}\"}},\"messages\":[{}]}}",
                        "+ a line\\n".repeat(3 * count),
                        (0..count).map(message).collect::<Vec<_>>().join(",\n")
                    ),
                    _ => (0..count)
                        .map(|at| {
                            format!("{{\"role\":\"tool\",\"tool_call_id\":\"c{at}\",\"content\":\"x\"}}\n")
                        })
                        .collect(),
                };
                vec![("chat".to_owned(), text)]
            }),
        ));
    }
    all
}

/// A conversation of ChatGPT: each message is the child of the one before it.
fn chatgpt(count: usize) -> Vec<(String, String)> {
    let node = |at: usize| {
        let role = if at.is_multiple_of(2) { "user" } else { "assistant" };
        let content = format!("{{\"content_type\":\"text\",\"parts\":[\"{at}\"]}}");
        let message = format!("{{\"author\":{{\"role\":\"{role}\"}},\"content\":{content}}}");
        let parent = at.checked_sub(1).map_or_else(|| "null".to_owned(), |parent| format!("\"{parent}\""));
        format!("\"{at}\":{{\"id\":\"{at}\",\"parent\":{parent},\"message\":{message}}}")
    };
    let mapping = (0..count).map(node).collect::<Vec<_>>().join(",");
    let last = count.saturating_sub(1);
    vec![("chatgpt".to_owned(), format!("{{\"mapping\":{{{mapping}}},\"current_node\":\"{last}\"}}"))]
}
