//! Logs of other programs.

texts! {
    // Logs of other programs.
    logs_name: "Dropped files";
    logs_reading: "Reading the logs…";
    logs_other: "This is a log in the format “{what}”, not a transcript.";
    logs_fixtures:
        "These are mock responses, not a run. Convert them with `transcript convert FILE --to handlers`.";
    logs_of_pair:
        "This belongs to a recording: drop both files at once.";
    logs_events: "This is an event log, not a transcript.";
    logs_events_help:
        "On the command line, `transcript order FILE` sorts the events, and `transcript verify-determinism FILE` compares several replays.";
    logs_unknown: "We don't recognize this format. Which tool wrote it?";
    looked_at: "Content:";
    looked_at_broken: "Broken in line {line}";
    looked_at_keys: "First keys: {keys}";
    looked_at_hint: "The text is in the source.";
    nearest_has: "Like {name}, it has {has}, but with other values";
    nearest_lacks: "Like {name}, it has {has}, but no {lacks}";
    records_one: "{n} record";
    records_many: "{n} records";
    plain_text: "Plain text";
    logs_program: "The tool that wrote it";
    logs_choose_program: "Choose…";
    logs_make: "Open as a transcript";
    logs_agents: "Show the agents";
    logs_report: "Import details";
    logs_choose: "Choose a session";
    logs_original: "Show the original";
    logs_text: "Open the text of {name}";
    logs_left_out: "Notes";
    logs_sessions: "Sessions";
    responses_one: "{n} response";
    responses_many: "{n} responses";
    tool_calls_one: "{n} tool call";
    tool_calls_many: "{n} tool calls";
    follow: "Follow";
    follow_long: "Show what the program adds to the log, as it writes it";
    follow_resume: "Resume";
    following: "Following";
    not_following: "Paused";
    follow_edited:
        "The transcript no longer follows the log, because you changed it. To follow the log, open it again.";
    follow_newer: "A newer session began.";
    follow_waiting: "There is nothing in the log yet. This page shows it as soon as there is.";
    logs_table: "Events in topological order";
    logs_not_loaded:
        "the part of the workbench that reads logs could not be loaded; the first log needs a network connection";
}
