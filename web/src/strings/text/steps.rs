//! The source, the list of steps and the scrubber.

texts! {
    // Source.
    source: "Source", "Quelltext";
    source_label: "Source text of the transcript", "Quelltext des Transkripts";
    source_hint = "name: weather_query\n\nmessages:\n  - \"system: You are helpful\"\n  - \"user: What's the weather?\"\n  - \"assistant:call weather(location='NYC')\"\n  - \"tool:weather: {temp: 72, condition: sunny}\"\n  - \"assistant: It's 72°F and sunny!\"";
    form_full: "Full transcript", "Volles Transkript";
    form_partial: "Partial transcript", "Teilweises Transkript";
    form_compact: "Compact transcript", "Kompaktes Transkript";
    form_handlers: "Mock handlers", "Mock-Handler";
    form_events: "Log of events", "Ereignisprotokoll";
    form_unknown: "Not recognised", "Nicht erkannt";
    lines_one: "{n} line", "{n} Zeile";
    lines_many: "{n} lines", "{n} Zeilen";

    // Steps.
    steps: "Steps", "Schritte";
    steps_label: "Steps of the run", "Schritte des Laufs";
    step_first: "First step (Home)", "Erster Schritt (Pos1)";
    step_previous: "Previous step (K)", "Voriger Schritt (K)";
    step_next: "Next step (J)", "Nächster Schritt (J)";
    step_last: "Last step (End)", "Letzter Schritt (Ende)";
    play: "Play (Space)", "Abspielen (Leertaste)";
    pause: "Pause (Space)", "Anhalten (Leertaste)";
    speed: "Speed (< and >)", "Tempo (< und >)";
    scrubber: "Step of the run", "Schritt des Laufs";
    scrubber_hint:
        "Above: state changed; middle: a message came or was hidden; below: tokens; red: a problem or a failure",
        "Oben: Zustand geändert; Mitte: eine Nachricht kam oder wurde verborgen; unten: Tokens; rot: ein Problem oder ein Fehlschlag";
    look_for: "Look for steps", "Schritte suchen";
    look_for_hint:
        "Look for steps, as in role:tool weather (/)",
        "Schritte suchen, etwa role:tool weather (/)";
    look_for_long:
        "Words, role: kind: tool: agent: turn: status: has:state has:problem; -word for steps without it; \"in quotes\" as it stands",
        "Wörter, role: kind: tool: agent: turn: status: has:state has:problem; -wort für Schritte ohne es; \"in Anführungszeichen\" wörtlich";
    found: "{n} found", "{n} gefunden";
    found_at: "{at} of {n}", "{at} von {n}";
    next_match: "Next step found (N)", "Nächster gefundener Schritt (N)";
    previous_match: "Previous step found (Shift+N)", "Voriger gefundener Schritt (Umschalt+N)";
    transport: "Step through the run", "Schritt für Schritt durch den Lauf";
    position: "Step {at} of {of}", "Schritt {at} von {of}";
    no_steps: "No steps yet", "Noch keine Schritte";
    no_steps_hint:
        "Steps appear here as soon as the source can be read as a transcript.",
        "Schritte erscheinen hier, sobald sich der Quelltext als Transkript lesen lässt.";
    stale:
        "Showing the last version that could be read: line {line} does not parse.",
        "Gezeigt wird die letzte lesbare Fassung: Zeile {line} ist nicht zu lesen.";
    partial:
        "Showing what could be read: line {line} does not parse.",
        "Gezeigt wird, was lesbar war: Zeile {line} ist nicht zu lesen.";
    stale_error:
        "Showing the last version that could be read: line {line} has an error.",
        "Gezeigt wird die letzte lesbare Fassung: Zeile {line} hat einen Fehler.";
    partial_error:
        "Showing what could be read: line {line} has an error.",
        "Gezeigt wird, was lesbar war: Zeile {line} hat einen Fehler.";
    kind_initial: "Initial state", "Anfangszustand";
    kind_llm: "LLM call", "LLM-Aufruf";
    kind_tool: "Tool call", "Tool-Aufruf";
    kind_message: "Message", "Nachricht";
    turn: "Turn {n}", "Runde {n}";
    failed: "Failed", "Fehlgeschlagen";
    tokens: "{n} tok", "{n} Tok";
    tokens_long: "{n} tokens", "{n} Tokens";
    mark_context: "state", "Zustand";
    mark_context_long: "Changes the agent state", "Ändert den Agentenzustand";
    nested_one: "{n} step inside", "{n} Schritt darin";
    nested_many: "{n} steps inside", "{n} Schritte darin";
    no_text: "no text", "kein Text";

    // Roles.
    role_system = "System";
    role_user = "User";
    role_assistant = "Assistant";
    role_tool = "Tool";
}
