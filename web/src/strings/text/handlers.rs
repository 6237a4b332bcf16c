//! The view Handlers.

texts! {
    // Handlers.
    handlers_reading: "Reading the handlers…", "Handler werden gelesen…";
    no_handlers: "No handlers here", "Keine Handler hier";
    no_handlers_hint:
        "Handlers answer in the model's place: rules, queues, state machines. This document has none under `handlers`. Add some in the source, or open an example:",
        "Handler antworten anstelle des Modells: Regeln, Warteschlangen, Zustandsautomaten. Dieses Dokument hat keine unter `handlers`. Im Quelltext welche ergänzen oder ein Beispiel öffnen:";
    handler_of: "Answers for {agent}", "Antwortet für {agent}";
    handler_untyped: "no type", "kein Typ";
    handler_unknown: "not a type of handler", "kein Typ von Handler";
    table_of: "Table of {path}", "Tabelle von {path}";
    column_mark: "Outcome", "Ausgang";
    column_name: "What", "Was";
    column_when: "When", "Wann";
    column_answer: "Answers", "Antwortet";
    column_ways: "Then goes to", "Geht dann zu";
    rows_one: "{n} row more", "{n} weitere Zeile";
    rows_many: "{n} rows more", "{n} weitere Zeilen";
    row_used: "used", "benutzt";
    row_fits: "fits", "passt";
    row_fits_not: "does not fit", "passt nicht";
    row_default: "default", "Vorgabe";
    row_then: "then", "dann";
    row_number = "{kind} {n}";
    when_always: "always", "immer";
    when_else: "else", "sonst";
    way_next: "next", "weiter";
    state_unreached: "unreachable", "unerreichbar";
    state_unknown: "no such state", "kein solcher Zustand";
    state_current: "current state", "aktueller Zustand";
    state_now: "State: {now}", "Zustand: {now}";
    state_moved: "State: {before} → {now}", "Zustand: {before} → {now}";
    diagram_of: "States of {agent}", "Zustände von {agent}";
    simulate: "Simulate", "Simulieren";
    simulator = "Simulator";
    simulator_hint:
        "Say something as the user: the handlers answer here, and show why. No model is asked.",
        "Etwas als User sagen: Die Handler antworten hier und zeigen, warum. Kein Modell wird gefragt.";
    conversation: "Conversation", "Gespräch";
    user_message: "Message of the user", "Nachricht des Users";
    speak_to: "To", "An";
    send: "Send", "Senden";
    step_back: "Step back: take the last message back", "Schritt zurück: letzte Nachricht zurücknehmen";
    reset: "Reset: begin anew", "Zurücksetzen: von vorn beginnen";
    trace: "Why", "Warum";
    trace_call = "call_count {n} · iteration {round}";
    trace_more: "and {n} decisions more", "und {n} weitere Entscheidungen";
    rounds_over:
        "the agent called its model as often as one message may, so that it stopped here",
        "der Agent hat sein Modell so oft aufgerufen, wie es eine Nachricht darf, und hält daher hier";
    answers_left_one: "{n} answer left", "{n} Antwort übrig";
    answers_left_many: "{n} answers left", "{n} Antworten übrig";
    ask_tool: "What does {tool} return for {arguments}?", "Was gibt {tool} für {arguments} zurück?";
    ask_reply: "What does {agent} answer?", "Was antwortet {agent}?";
    ask_hint: "JSON or text", "JSON oder Text";
    give_result: "Return", "Zurückgeben";
    give_error: "Fail with this", "Damit fehlschlagen";
    give_answer: "Answer", "Antworten";
    save_transcript: "Save as transcript", "Als Transkript speichern";
    save_scenario: "Save as scenario", "Als Szenario speichern";
    scenario_saved:
        "Saved: the document says these messages under `steps`.",
        "Gespeichert: Das Dokument sagt diese Nachrichten unter `steps`.";
    run_scenario_one: "Run the scenario ({n} message)", "Szenario ausführen ({n} Nachricht)";
    run_scenario_many: "Run the scenario ({n} messages)", "Szenario ausführen ({n} Nachrichten)";
    add_default: "Add a default", "Vorgabe ergänzen";
    default_answer: "I don't know", "Das weiß ich nicht";
    default_added:
        "Added: a `default` answers where no rule fits.",
        "Ergänzt: Ein `default` antwortet, wo keine Regel passt.";
    not_changed: "The document was not changed: {reason}.", "Das Dokument wurde nicht geändert: {reason}.";
}
