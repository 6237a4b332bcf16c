//! The view Handlers.

texts! {
    // Handlers.
    handlers_reading: "Reading the handlers…";
    no_handlers: "No handlers";
    no_handlers_hint:
        "Handlers respond instead of a model: rules, queues, state machines. This document has none under `handlers`. Add some in the source, or open an example:";
    handler_of: "Responds for {agent}";
    handler_untyped: "no type";
    handler_unknown: "unknown type";
    table_of: "Table of {path}";
    column_mark: "Outcome";
    column_name: "Name";
    column_when: "When";
    column_answer: "Response";
    column_ways: "Next";
    rows_one: "{n} more row";
    rows_many: "{n} more rows";
    row_used: "used";
    row_fits: "matches";
    row_fits_not: "no match";
    row_default: "default";
    row_then: "then";
    row_number: "{kind} {n}";
    when_always: "always";
    when_else: "else";
    way_next: "next";
    state_unreached: "unreachable";
    state_unknown: "unknown state";
    state_current: "current state";
    state_now: "State: {now}";
    state_moved: "State: {before} → {now}";
    diagram_of: "States of {agent}";
    simulate: "Simulate";
    simulator: "Simulator";
    simulator_hint: "Send a user message: the handlers respond and show why. No model is called.";
    conversation: "Conversation";
    user_message: "User message";
    speak_to: "To";
    send: "Send";
    step_back: "Step back: remove the last message";
    reset: "Reset: start over";
    trace: "Why";
    trace_call: "call_count {n} · iteration {round}";
    trace_more: "and {n} more decisions";
    rounds_over: "stopped: too many model calls for one message";
    answers_left_one: "{n} response left";
    answers_left_many: "{n} responses left";
    ask_tool: "What does {tool} return for {arguments}?";
    ask_response: "What does {agent} respond?";
    ask_hint: "JSON or text";
    give_result: "Return";
    give_error: "Fail with this";
    give_answer: "Respond";
    save_transcript: "Save as transcript";
    save_scenario: "Save as scenario";
    scenario_saved: "Saved: these messages are now in `steps`.";
    run_scenario_one: "Run the scenario ({n} message)";
    run_scenario_many: "Run the scenario ({n} messages)";
    add_default: "Add a default";
    default_answer: "I don't know";
    default_added: "Added: the `default` responds if no rule matches.";
    not_changed: "The document was not changed: {reason}.";
}
