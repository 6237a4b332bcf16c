//! The source, the list of steps and the scrubber.

texts! {
    // Source.
    source: "Source";
    source_label: "Source text of the transcript";
    source_hint:
        "name: weather_query\n\nmessages:\n  - \"system: You are helpful\"\n  - \"user: What's the weather?\"\n  - \"assistant:call weather(location='NYC')\"\n  - \"tool:weather: {temp: 72, condition: sunny}\"\n  - \"assistant: It's 72°F and sunny!\"";
    form_full: "Full transcript";
    form_partial: "Partial transcript";
    form_compact: "Compact transcript";
    form_handlers: "Mock handlers";
    form_events: "Log of events";
    form_unknown: "Not recognised";
    form_log: "Log of another tool";
    form_blank: "Empty";
    lines_one: "{n} line";
    lines_many: "{n} lines";

    // Steps.
    steps: "Steps";
    steps_label: "Steps of the run";
    step_first: "First step (Home)";
    step_previous: "Previous step (K)";
    step_next: "Next step (J)";
    step_last: "Last step (End)";
    play: "Play (Space)";
    pause: "Pause (Space)";
    speed: "Speed (< and >)";
    scrubber: "Step of the run";
    scrubber_hint:
        "Above: state changed; middle: a message came or was hidden; below: tokens; red: a problem or a failure";
    look_for: "Look for steps";
    look_for_hint: "Look for steps, as in role:tool weather (/)";
    look_for_long:
        "Words, role: kind: tool: agent: turn: status: has:state has:problem; -word for steps without it; \"in quotes\" as it stands";
    found: "{n} found";
    found_at: "{at} of {n}";
    next_match: "Next step found (N)";
    previous_match: "Previous step found (Shift+N)";
    transport: "Step through the run";
    position: "Step {at} of {of}";
    no_such_step: "This run has no step {step}: its first one is shown.";
    no_such_step_compared: "The run on the left has no step {step}.";
    no_steps: "No steps yet";
    no_steps_handlers: "These are handlers, which answer in place of a model, and no run.";
    no_steps_hint: "Steps appear here as soon as the source can be read as a transcript.";
    stale: "Showing the last version that could be read, of {time}: line {line} does not parse.";
    partial: "Showing what could be read: line {line} does not parse.";
    stale_error: "Showing the last version that could be read, of {time}: line {line} has an error.";
    partial_error: "Showing what could be read: line {line} has an error.";
    kind_initial: "Initial state";
    kind_llm: "LLM call";
    kind_tool: "Tool call";
    kind_message: "Message";
    turn: "Turn {n}";
    failed: "Failed";
    unanswered: "not answered";
    tokens: "{n} tok";
    tokens_long: "{n} tokens";
    mark_context: "state";
    mark_context_long: "Changes the agent state";
    nested_one: "{n} step inside";
    nested_many: "{n} steps inside";
    no_text: "no text";

    // Roles.
    role_system: "System";
    role_user: "User";
    role_assistant: "Assistant";
    role_tool: "Tool";
}
