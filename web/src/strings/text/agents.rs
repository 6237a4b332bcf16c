//! The view Agents.

texts! {
    agents_reading: "Reading the events…";
    no_events: "No events";
    no_events_hint:
        "This view shows the events of several agents, from a log or a transcript. Open an example:";
    no_events_reason: "The events of this document cannot be shown: {reason}";
    events_one: "{n} event";
    events_many: "{n} events";
    agents_one: "{n} agent";
    agents_many: "{n} agents";
    order: "Order of the events";
    order_topological: "Topological order";
    order_topological_hint:
        "Parents first; of several ready events, the one with the smallest id";
    order_recorded: "Recorded order";
    order_recorded_hint: "The order of the lines in the log";
    moved_one: "{n} event changes position";
    moved_many: "{n} events change position";
    moved_none: "Both orders are the same";
    early_one: "{n} event was recorded before its parent";
    early_many: "{n} events were recorded before their parents";
    fingerprint: "Fingerprint {print}";
    fingerprint_long: "SHA-256 of the replay trace: {print}";
    shuffle: "Shuffle the lines";
    shuffle_hint:
        "Shuffles the lines of the source; the order of the events must not change. You can undo it.";
    shuffled:
        "Lines shuffled: the topological order of the {n} events and the fingerprint {print} are unchanged.";
    shuffled_order:
        "Lines shuffled: the topological order of the {n} events is unchanged. A log with errors has no fingerprint.";
    shuffled_other:
        "Lines shuffled: the order of the {n} events or the fingerprint {print} changed, because two events have the same id.";
    shuffled_nothing: "These lines have no other order.";
    closer: "Zoom in (+)";
    farther: "Zoom out (-)";
    whole: "All events (0)";
    lanes: "Agent lanes";
    lanes_hint:
        "Left and right move along the lane, up to a parent, down to a child. The table below shows the same events.";
    events_table: "Events";
    lanes_legend: "Legend";
    lanes_bars: "At this zoom, a bar shows all events at its position.";
    lanes_arrows: "One of every {n} arrows is drawn.";
    lanes_held: "{held} events depend on a cycle and come last.";
    event_seen: "Position {place} of {of}: {agent}, {kind}";
    event_cone: "{past} before it, {future} after it";
    tie: "{n} were ready";
    tie_sign: "= {n}";
    no_place: "waits";
    row_after: "after {places}";
    row_first: "has no parent";
    row_fault: "error";
    row_recorded: "recorded {n}";
    row_ordered: "position {n}";
    row_past: "before it";
    row_future: "after it";
    log_errors_one: "The log has {n} error and is not replayed.";
    log_errors_many: "The log has {n} errors and is not replayed.";
    log_error_first: "Line {line}: {message}.";
    show_in_source: "Show in the source";
    event: "Event";
    no_such_event: "This log has no event {id}.";
    no_event: "Select an event to see its parents and why it has this position.";
    event_place: "Position";
    event_places: "{place} of {of}, layer {layer}";
    event_no_place: "none: it depends on a cycle";
    event_recorded: "Recorded";
    event_recorded_at: "{place} of {of}, in line {line}";
    event_agent: "Agent";
    event_type: "Type";
    event_id: "Id";
    event_time: "Clock";
    event_why: "Why here";
    event_tie: "= A tie: of {n} ready events, {id} has the smallest id. Ready events:";
    event_parents: "Parents";
    event_children: "Children";
    event_nothing: "None";
    event_more: "and {n} more";
    event_problems: "Problems";
    event_data: "As recorded";
    event_link: "{agent}: {kind}";
}
