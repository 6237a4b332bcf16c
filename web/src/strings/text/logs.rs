//! Logs of other programs.

texts! {
    // Logs of other programs.
    logs_name: "What you brought";
    logs_reading: "Reading the logs…";
    logs_other: "This is a log in the format “{what}”, not a transcript.";
    logs_fixtures:
        "These are answers for a mock, not a run. `transcript convert FILE --to handlers` makes handlers of them.";
    logs_of_pair:
        "This belongs to a recording: drop both files at once to have a transcript of them.";
    logs_events: "This is a log of the events of several agents, not a transcript of a run.";
    logs_events_help:
        "On the command line, `transcript order FILE` prints their ids in this order, and `transcript verify-determinism FILE` replays them several times and compares.";
    logs_unknown: "We don't recognise this format. Which tool wrote it?";
    looked_at: "What was looked at:";
    looked_at_broken: "Broken in line {line}";
    looked_at_keys: "First keys: {keys}";
    looked_at_hint: "The text itself stands in the source.";
    nearest_has: "{name} has {has} too, with other values";
    nearest_lacks: "{name} has {has} too, but also {lacks}";
    records_one: "{n} record";
    records_many: "{n} records";
    plain_text: "Plain text";
    logs_program: "The program that wrote it";
    logs_choose_program: "Choose…";
    logs_make: "Open as a transcript";
    logs_agents: "Show the agents";
    logs_report: "What was read";
    logs_choose: "Choose a session";
    logs_original: "Show the original";
    logs_text: "Open the text of {name}";
    logs_left_out: "To know";
    logs_sessions: "Sessions";
    logs_table: "Events in the order of what followed from what";
    logs_not_loaded:
        "the part of the workbench that reads logs could not be loaded; it is fetched when the first log comes, which needs the network once";
}
