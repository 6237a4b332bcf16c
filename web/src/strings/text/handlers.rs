//! The view Handlers.

texts! {
    // Handlers.
    handlers_reading: "Reading the handlers…";
    no_handlers: "No handlers here";
    no_handlers_hint:
        "Handlers answer in the model's place: rules, queues, state machines. This document has none under `handlers`. Add some in the source, or open an example:";
    handler_of: "Answers for {agent}";
    handler_untyped: "no type";
    handler_unknown: "not a type of handler";
    table_of: "Table of {path}";
    column_mark: "Outcome";
    column_name: "What";
    column_when: "When";
    column_answer: "Answers";
    column_ways: "Then goes to";
    rows_one: "{n} row more";
    rows_many: "{n} rows more";
    row_used: "used";
    row_fits: "fits";
    row_fits_not: "does not fit";
    row_default: "default";
    row_then: "then";
    row_number: "{kind} {n}";
    when_always: "always";
    when_else: "else";
    way_next: "next";
    state_unreached: "unreachable";
    state_unknown: "no such state";
    state_current: "current state";
    state_now: "State: {now}";
    state_moved: "State: {before} → {now}";
    diagram_of: "States of {agent}";
    simulate: "Simulate";
    simulator: "Simulator";
    simulator_hint: "Say something as the user: the handlers answer here, and show why. No model is asked.";
    conversation: "Conversation";
    user_message: "Message of the user";
    speak_to: "To";
    send: "Send";
    step_back: "Step back: take the last message back";
    reset: "Reset: begin anew";
    trace: "Why";
    trace_call: "call_count {n} · iteration {round}";
    trace_more: "and {n} decisions more";
    rounds_over: "the agent called its model as often as one message may, so that it stopped here";
    answers_left_one: "{n} answer left";
    answers_left_many: "{n} answers left";
    ask_tool: "What does {tool} return for {arguments}?";
    ask_reply: "What does {agent} answer?";
    ask_hint: "JSON or text";
    give_result: "Return";
    give_error: "Fail with this";
    give_answer: "Answer";
    save_transcript: "Save as transcript";
    save_scenario: "Save as scenario";
    scenario_saved: "Saved: the document says these messages under `steps`.";
    run_scenario_one: "Run the scenario ({n} message)";
    run_scenario_many: "Run the scenario ({n} messages)";
    add_default: "Add a default";
    default_answer: "I don't know";
    default_added: "Added: a `default` answers where no rule fits.";
    not_changed: "The document was not changed: {reason}.";
}
