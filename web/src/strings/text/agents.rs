//! The view Agents.

texts! {
    agents_reading: "Reading the events…", "Ereignisse werden gelesen…";
    no_events: "No events here", "Keine Ereignisse hier";
    no_events_hint:
        "This view shows what several agents did: the events of a log, or of a transcript that can be read. Open an example:",
        "Diese Ansicht zeigt, was mehrere Agenten taten: die Ereignisse eines Protokolls oder eines lesbaren Transkripts. Ein Beispiel öffnen:";
    no_events_reason:
        "The events of this document cannot be shown: {reason}",
        "Die Ereignisse dieses Dokuments können nicht gezeigt werden: {reason}";
    events_one: "{n} event", "{n} Ereignis";
    events_many: "{n} events", "{n} Ereignisse";
    agents_one: "{n} agent", "{n} Agent";
    agents_many: "{n} agents", "{n} Agenten";
    order: "Order of the events", "Reihenfolge der Ereignisse";
    order_topological: "Topological order", "Topologische Reihenfolge";
    order_topological_hint:
        "Each after those it followed from; of several that are ready the one with the smallest id",
        "Jedes nach denen, aus denen es folgte; von mehreren bereiten das mit der kleinsten Id";
    order_recorded: "Recorded order", "Aufgezeichnete Reihenfolge";
    order_recorded_hint: "As the lines stand in the log", "Wie die Zeilen im Protokoll stehen";
    moved_one:
        "{n} event stands elsewhere in the other order",
        "{n} Ereignis steht in der anderen Reihenfolge woanders";
    moved_many:
        "{n} events stand elsewhere in the other order",
        "{n} Ereignisse stehen in der anderen Reihenfolge woanders";
    moved_none: "Both orders are the same", "Beide Reihenfolgen sind gleich";
    early_one:
        "{n} event was recorded before one that it followed from",
        "{n} Ereignis wurde vor einem aufgezeichnet, aus dem es folgte";
    early_many:
        "{n} events were recorded before one that they followed from",
        "{n} Ereignisse wurden vor einem aufgezeichnet, aus dem sie folgten";
    fingerprint: "Fingerprint {print}", "Fingerabdruck {print}";
    fingerprint_long: "SHA-256 of the trace of a replay: {print}", "SHA-256 des Trace eines Replays: {print}";
    shuffle: "Shuffle the lines", "Zeilen mischen";
    shuffle_hint:
        "Puts the lines of the source in another order; the order of the events must not change. Undo takes it back.",
        "Bringt die Zeilen des Quelltexts in eine andere Reihenfolge; die der Ereignisse darf sich nicht ändern. Rückgängig nimmt es zurück.";
    shuffled:
        "The lines were shuffled: the topological order of the {n} events is the same, and so is the fingerprint {print}.",
        "Die Zeilen wurden gemischt: Die topologische Reihenfolge der {n} Ereignisse ist gleich, ebenso der Fingerabdruck {print}.";
    shuffled_order:
        "The lines were shuffled: the topological order of the {n} events is the same. There is no fingerprint, for a log with errors is not replayed.",
        "Die Zeilen wurden gemischt: Die topologische Reihenfolge der {n} Ereignisse ist gleich. Einen Fingerabdruck gibt es nicht, denn ein Protokoll mit Fehlern wird nicht abgespielt.";
    shuffled_other:
        "The lines were shuffled, and the order of the {n} events or the fingerprint {print} is another one now: two events have one id.",
        "Die Zeilen wurden gemischt, und die Reihenfolge der {n} Ereignisse oder der Fingerabdruck {print} ist nun anders: Zwei Ereignisse haben dieselbe Id.";
    shuffled_nothing:
        "There is no other order of these lines.",
        "Diese Zeilen haben keine andere Reihenfolge.";
    closer: "Closer (+)", "Näher (+)";
    farther: "Farther (-)", "Weiter weg (-)";
    whole: "All events (0)", "Alle Ereignisse (0)";
    lanes: "Lanes of the agents", "Spuren der Agenten";
    lanes_hint:
        "Left and right go along the lane, up to what the event followed from, down to what followed from it. The table below has the same.",
        "Links und rechts gehen die Spur entlang, auf zu dem, woraus das Ereignis folgte, ab zu dem, was daraus folgte. Die Tabelle darunter zeigt dasselbe.";
    events_table: "Events", "Ereignisse";
    lanes_bars:
        "From so far off a bar stands for all events at its place.",
        "Aus solcher Entfernung steht ein Balken für alle Ereignisse an seiner Stelle.";
    lanes_arrows: "Of every {n} arrows one is drawn.", "Von je {n} Pfeilen ist einer gezeichnet.";
    lanes_held:
        "{held} events wait for a cycle and stand last.",
        "{held} Ereignisse warten auf einen Zyklus und stehen zuletzt.";
    event_seen: "Place {place} of {of}: {agent}, {kind}", "Platz {place} von {of}: {agent}, {kind}";
    event_cone: "{past} before it, {future} after it", "{past} davor, {future} danach";
    tie: "{n} were ready", "{n} waren bereit";
    tie_sign = "= {n}";
    no_place: "waits", "wartet";
    row_after: "after {places}", "nach {places}";
    row_first: "follows from nothing", "folgt aus nichts";
    row_fault: "error", "Fehler";
    row_recorded: "recorded {n}", "aufgezeichnet {n}";
    row_ordered: "place {n}", "Platz {n}";
    row_past: "before it", "davor";
    row_future: "after it", "danach";
    log_errors_one:
        "The log has {n} error, so that it is not replayed.",
        "Das Protokoll hat {n} Fehler und wird daher nicht abgespielt.";
    log_errors_many:
        "The log has {n} errors, so that it is not replayed.",
        "Das Protokoll hat {n} Fehler und wird daher nicht abgespielt.";
    log_error_first: "Line {line}: {message}.", "Zeile {line}: {message}.";
    show_in_source: "Show in the source", "Im Quelltext zeigen";
    event: "Event", "Ereignis";
    no_event:
        "Select an event to see where it comes from and why it stands where it does.",
        "Ein Ereignis auswählen, um zu sehen, woher es kommt und warum es dort steht.";
    event_place: "Place", "Platz";
    event_places: "{place} of {of}, layer {layer}", "{place} von {of}, Ebene {layer}";
    event_no_place: "none: it waits for a cycle", "keiner: Es wartet auf einen Zyklus";
    event_recorded: "Recorded", "Aufgezeichnet";
    event_recorded_at: "{place} of {of}, in line {line}", "{place} von {of}, in Zeile {line}";
    event_agent = "Agent";
    event_type: "Type", "Typ";
    event_id = "Id";
    event_time: "Clock", "Uhr";
    event_why: "Why it stands here", "Warum es hier steht";
    event_tie:
        "= A tie: of {n} events that were ready, {id} has the smallest id. Ready were:",
        "= Gleichstand: Von {n} bereiten Ereignissen hat {id} die kleinste Id. Bereit waren:";
    event_parents: "Followed from", "Folgte aus";
    event_children: "What followed from it", "Was daraus folgte";
    event_nothing: "Nothing", "Nichts";
    event_more: "and {n} more", "und {n} weitere";
    event_problems: "What is wrong", "Was nicht stimmt";
    event_data: "As recorded", "Wie aufgezeichnet";
    event_link = "{agent}: {kind}";
}
