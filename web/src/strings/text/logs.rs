//! Logs of other programs.

texts! {
    // Logs of other programs.
    logs_name: "What you brought", "Mitgebrachtes";
    logs_reading: "Reading the logs…", "Protokolle werden gelesen…";
    logs_qbit:
        "This is the log of a qbit session, not a transcript.",
        "Das ist das Protokoll einer qbit-Session, kein Transkript.";
    logs_http: "This is recorded HTTP, not a transcript.", "Das ist aufgezeichnetes HTTP, kein Transkript.";
    logs_traces:
        "This is a log of traces of the OpenAI Agents SDK, not a transcript.",
        "Das ist ein Protokoll von Traces des OpenAI Agents SDK, kein Transkript.";
    logs_fixtures:
        "These are fixtures of aimock. `transcript convert FILE --to handlers` makes handlers of them.",
        "Das sind Fixtures von aimock. `transcript convert FILE --to handlers` macht Handler daraus.";
    logs_agentloom:
        "This is a recording of AgentLoom, not a transcript.",
        "Das ist eine Aufzeichnung von AgentLoom, kein Transkript.";
    logs_beside:
        "This belongs to a recording of AgentLoom: drop both files at once to have a transcript of them.",
        "Das gehört zu einer Aufzeichnung von AgentLoom: beide Dateien zugleich ablegen, um ein Transkript daraus zu machen.";
    logs_events:
        "This is a log of the events of several agents, not a transcript of a run.",
        "Das ist ein Protokoll der Ereignisse mehrerer Agenten, kein Transkript eines Laufs.";
    logs_events_help:
        "On the command line, `transcript order FILE` prints their ids in this order, and `transcript verify-determinism FILE` replays them several times and compares.",
        "Auf der Kommandozeile gibt `transcript order FILE` ihre Ids in dieser Reihenfolge aus, und `transcript verify-determinism FILE` spielt sie mehrmals ab und vergleicht.";
    logs_make: "Open as a transcript", "Als Transkript öffnen";
    logs_agents: "Show the agents", "Agenten zeigen";
    logs_report: "What was read", "Was gelesen wurde";
    logs_choose: "Choose a session", "Session wählen";
    logs_original: "Show the original", "Original zeigen";
    logs_text: "Open the text of {name}", "Text von {name} öffnen";
    logs_left_out: "To know", "Gut zu wissen";
    logs_sessions = "Sessions";
    logs_table:
        "Events in the order of what followed from what",
        "Ereignisse in der Reihenfolge, in der sie auseinander folgten";
    logs_not_loaded:
        "the part of the workbench that reads logs could not be loaded; it is fetched when the first log comes, which needs the network once",
        "der Teil der Workbench, der Protokolle liest, ließ sich nicht laden; er wird geholt, wenn das erste Protokoll kommt, und braucht dafür einmal das Netz";
}
