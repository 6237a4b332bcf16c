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
    form_events: "Event log";
    form_unknown: "Not recognized";
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
        "Top: state changed; middle: message added or hidden; bottom: tokens; red: problem or failure";
    look_for: "Search steps";
    look_for_hint: "Search steps, e.g. role:tool weather (/)";
    look_for_long:
        "Words, role: kind: tool: agent: turn: status: has:state has:problem has:note; took>10s tokens>5k cost>0.1; -word to exclude; \"exact text\"";
    found: "{n} found";
    found_at: "{at} of {n}";
    next_match: "Next match (N)";
    previous_match: "Previous match (Shift+N)";
    transport: "Step through the run";
    position: "Step {at} of {of}";
    no_such_step: "This run has no step {step}: its first one is shown.";
    no_such_step_compared: "The run on the left has no step {step}.";
    no_steps: "No steps yet";
    insert_example: "Insert an example run";
    no_steps_handlers: "This file defines mock handlers; open the Handlers view.";
    no_steps_hint: "Steps appear here when the source can be read as a transcript.";
    stale: "Showing the last readable version, from {time}: line {line} does not parse.";
    partial: "Showing the readable part: line {line} does not parse.";
    stale_error: "Showing the last readable version, from {time}: line {line} has an error.";
    partial_error: "Showing the readable part: line {line} has an error.";
    kind_initial: "Initial state";
    kind_llm: "LLM call";
    kind_tool: "Tool call";
    kind_message: "Message";
    turn: "Turn {n}";
    failed: "Failed";
    unanswered: "no result";
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

    // The read view.
    read_label: "The run, step by step";
    read_calls: "calls {tools}";
    read_instructions: "Instructions";
    read_earlier_one: "{n} earlier message";
    read_earlier_many: "{n} earlier messages";
    read_cut_one: "{n} more character. The inspector has the whole text.";
    read_cut_many: "{n} more characters. The inspector has the whole text.";
    read_no_output: "No output";
    model_calls_one: "{n} model call";
    model_calls_many: "{n} model calls";
    read_failed_one: "{n} failed";
    read_failed_many: "{n} failed";
    read_summary: "Summary";
    read_tokens: "{in} tokens in, {out} out";
    read_tokens_cached: "{in} tokens in ({cached} cached), {out} out";
    read_time_active: "{wall}, {active} active";
    user_messages: "{n} user messages";
    notes_one: "{n} note";
    notes_many: "{n} notes";
    note_label: "Note";
    note_on_step: "Note on step {step}";
    note_hint: "A note is a comment above the step in the document. An empty note is removed.";
    note_save: "Save note";
    note_remove: "Remove note";
    read_slow: "slow";
    read_expensive: "expensive";
    read_money: "{sign}{n}";
    read_cost_more_one: "{cost} + {n} call without a price";
    read_cost_more_many: "{cost} + {n} calls without a price";
    read_no_price: "cost unknown: no price for {models}";
    read_no_model: "cost unknown: the log names no model";
    read_prices_of: "Prices as of {date}.";
    read_estimate: "This is an estimate: discounts, batches and fees for tools are not included.";
    read_unknown: "No price for {models}.";
    read_own_prices: "Use your own prices…";
    read_site_prices: "Use the built-in prices";
    read_prices_wrong: "{name} is not a price table: {reason}";
    read_prices_not_kept: "The prices are in use, but cannot be kept in this browser.";
    read_nothing_found: "No step matches the search.";
    read_show_all: "Show all steps";
    read_image: "Image of the message";

    // The timeline.
    timeline: "Timeline";
    timeline_long: "Show when each step ran, and for how long";
    timeline_label: "Timeline of the run. Enter shows or hides the run of a sub-agent.";
    timeline_repeats: "Repeats and times";
    timeline_no_times: "This run has no times";
    timeline_no_repeats: "No retries, no loops";
    timeline_retries_one: "{n} retry";
    timeline_retries_many: "{n} retries";
    timeline_loops_one: "{n} loop";
    timeline_loops_many: "{n} loops";
    timeline_parallel: "up to {n} at once";
    timeline_idle_out: "{time} idle, cut out";
    timeline_idle: "idle {time}";
    timeline_idle_long: "Nothing ran before this step";
    timeline_retry: "retry";
    timeline_retry_long: "The same call again after it failed";
    timeline_loop: "loop {n} of {of}";
    timeline_loop_long: "The same call with the same result, again and again";
    timeline_row: "Step {n}: {what}. Starts at {start}, takes {took}";
    timeline_row_start: "Step {n}: {what}. Starts at {start}";
    timeline_row_untimed: "Step {n}: {what}. No time";
    timeline_folded: "hidden";
    timeline_unfolded: "shown";
}
