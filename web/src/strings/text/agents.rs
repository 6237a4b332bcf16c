//! The view Agents.

texts! {
    agents_reading: "Reading the events…";
    no_events: "No events here";
    no_events_hint:
        "This view shows what several agents did: the events of a log, or of a transcript that can be read. Open an example:";
    no_events_reason: "The events of this document cannot be shown: {reason}";
    events_one: "{n} event";
    events_many: "{n} events";
    agents_one: "{n} agent";
    agents_many: "{n} agents";
    order: "Order of the events";
    order_topological: "Topological order";
    order_topological_hint:
        "Each after those it followed from; of several that are ready the one with the smallest id";
    order_recorded: "Recorded order";
    order_recorded_hint: "As the lines stand in the log";
    moved_one: "{n} event stands elsewhere in the other order";
    moved_many: "{n} events stand elsewhere in the other order";
    moved_none: "Both orders are the same";
    early_one: "{n} event was recorded before one that it followed from";
    early_many: "{n} events were recorded before one that they followed from";
    fingerprint: "Fingerprint {print}";
    fingerprint_long: "SHA-256 of the trace of a replay: {print}";
    shuffle: "Shuffle the lines";
    shuffle_hint:
        "Puts the lines of the source in another order; the order of the events must not change. Undo takes it back.";
    shuffled:
        "The lines were shuffled: the topological order of the {n} events is the same, and so is the fingerprint {print}.";
    shuffled_order:
        "The lines were shuffled: the topological order of the {n} events is the same. There is no fingerprint, for a log with errors is not replayed.";
    shuffled_other:
        "The lines were shuffled, and the order of the {n} events or the fingerprint {print} is another one now: two events have one id.";
    shuffled_nothing: "There is no other order of these lines.";
    closer: "Closer (+)";
    farther: "Farther (-)";
    whole: "All events (0)";
    lanes: "Lanes of the agents";
    lanes_hint:
        "Left and right go along the lane, up to what the event followed from, down to what followed from it. The table below has the same.";
    events_table: "Events";
    lanes_legend: "What the signs stand for";
    lanes_bars: "From so far off a bar stands for all events at its place.";
    lanes_arrows: "Of every {n} arrows one is drawn.";
    lanes_held: "{held} events wait for a cycle and stand last.";
    event_seen: "Place {place} of {of}: {agent}, {kind}";
    event_cone: "{past} before it, {future} after it";
    tie: "{n} were ready";
    tie_sign: "= {n}";
    no_place: "waits";
    row_after: "after {places}";
    row_first: "follows from nothing";
    row_fault: "error";
    row_recorded: "recorded {n}";
    row_ordered: "place {n}";
    row_past: "before it";
    row_future: "after it";
    log_errors_one: "The log has {n} error, so that it is not replayed.";
    log_errors_many: "The log has {n} errors, so that it is not replayed.";
    log_error_first: "Line {line}: {message}.";
    show_in_source: "Show in the source";
    event: "Event";
    no_such_event: "This log has no event {id}.";
    no_event: "Select an event to see where it comes from and why it stands where it does.";
    event_place: "Place";
    event_places: "{place} of {of}, layer {layer}";
    event_no_place: "none: it waits for a cycle";
    event_recorded: "Recorded";
    event_recorded_at: "{place} of {of}, in line {line}";
    event_agent: "Agent";
    event_type: "Type";
    event_id: "Id";
    event_time: "Clock";
    event_why: "Why it stands here";
    event_tie: "= A tie: of {n} events that were ready, {id} has the smallest id. Ready were:";
    event_parents: "Followed from";
    event_children: "What followed from it";
    event_nothing: "Nothing";
    event_more: "and {n} more";
    event_problems: "What is wrong";
    event_data: "As recorded";
    event_link: "{agent}: {kind}";
}
