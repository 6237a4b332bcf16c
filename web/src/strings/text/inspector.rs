//! The inspector, runs inside steps, and the scale of the scrubber.

texts! {
    // Inspector.
    inspector: "Inspector", "Inspektor";
    inspect: "Inspect", "Ansehen";
    nothing_selected: "No step to inspect", "Kein Schritt ausgewählt";
    layer_state: "Agent state", "Agentenzustand";
    layer_flow: "Message flow", "Nachrichtenfluss";
    layer_llm: "LLM interaction", "LLM-Interaktion";
    layer: "Layer {n}", "Ebene {n}";
    raw: "The step as data", "Der Schritt als Daten";
    changes: "Changes to the context", "Änderungen am Kontext";
    changes_none: "Unchanged by this step", "Von diesem Schritt nicht geändert";
    changes_one: "{n} change", "{n} Änderung";
    changes_many: "{n} changes", "{n} Änderungen";
    added: "added", "hinzugekommen";
    changed: "changed", "geändert";
    removed: "removed", "entfernt";
    context: "Context after this step", "Kontext nach diesem Schritt";
    context_empty: "The context is empty.", "Der Kontext ist leer.";
    keys_one: "{n} key", "{n} Schlüssel";
    keys_many: "{n} keys", "{n} Schlüssel";
    flow_counts:
        "store {store} · visible {visible} · hidden {hidden}",
        "Store {store} · sichtbar {visible} · verborgen {hidden}";
    flow_empty: "No message in the store.", "Keine Nachricht im Store.";
    hidden: "Hidden", "Verborgen";
    hidden_since: "Hidden since step {step}", "Verborgen seit Schritt {step}";
    hidden_here: "Hidden by this step", "Von diesem Schritt verborgen";
    shown_here: "Shown again by this step", "Von diesem Schritt wieder gezeigt";
    created_here: "New here", "Hier neu";
    sent_one: "{n} message sent", "{n} Nachricht gesendet";
    sent_many: "{n} messages sent", "{n} Nachrichten gesendet";
    sent: "Sent to the model", "An das Modell gesendet";
    sent_unknown:
        "The transcript does not record what was sent.",
        "Das Transkript hält nicht fest, was gesendet wurde.";
    transformed: "Transformed", "Umgeformt";
    in_store: "In the store", "Im Store";
    as_sent: "As sent", "Wie gesendet";
    withheld: "Withheld from the model", "Dem Modell vorenthalten";
    not_stored: "never stored", "nie gespeichert";
    config: "Settings", "Einstellungen";
    answer: "Answer", "Antwort";
    answer_empty: "No text in the answer.", "Kein Text in der Antwort.";
    reasoning = "Reasoning";
    refusal: "Refusal", "Ablehnung";
    usage: "Usage", "Verbrauch";
    call_failed: "The call failed", "Der Aufruf schlug fehl";
    answers: "Answers {id}", "Antwortet auf {id}";
    tool_succeeded: "Succeeded", "Erfolgreich";
    parameters: "Parameters", "Parameter";
    result: "Result", "Ergebnis";
    error: "Error", "Fehler";
    no_llm_initial:
        "Nothing was sent yet: this is the state before the first step.",
        "Noch wurde nichts gesendet: Das ist der Zustand vor dem ersten Schritt.";
    no_llm:
        "This step calls neither a model nor a tool.",
        "Dieser Schritt ruft weder ein Modell noch ein Tool auf.";
    show_all: "Show all {n} characters", "Alle {n} Zeichen zeigen";
    show_less: "Show less", "Weniger zeigen";
    show_more: "{n} more", "{n} weitere";
    page: "{from}–{to} of {of}", "{from}–{to} von {of}";
    earlier: "Earlier", "Frühere";
    later: "Later", "Spätere";
    scale: "Scale of the scrubber", "Maßstab der Schrittleiste";
    scale_steps: "seq", "Folge";
    scale_steps_long: "Every step as wide as the next", "Jeder Schritt so breit wie der nächste";
    scale_time: "time", "Zeit";
    scale_time_long: "Steps where they began in time", "Schritte dort, wo sie zeitlich begannen";
    scale_time_some:
        "Steps where they began in time; {n} have no timestamp and stand with the one before",
        "Schritte dort, wo sie zeitlich begannen; {n} haben keinen Zeitstempel und stehen beim vorigen";
    scale_no_time:
        "No step has a timestamp, so that there is no scale of time",
        "Kein Schritt hat einen Zeitstempel, daher gibt es keinen Zeitmaßstab";
    scale_same_time:
        "All timestamps are the same, so that there is no scale of time",
        "Alle Zeitstempel sind gleich, daher gibt es keinen Zeitmaßstab";
    sub_agent: "Sub-agent", "Unteragent";
    asked_and_answered = "{prompt} → {result}";
    drill_in: "Into the run of {agent} (Enter)", "In den Lauf von {agent} (Eingabe)";
    drill_into: "Into the run of the sub-agent: {steps}", "In den Lauf des Unteragenten: {steps}";
    drilled: "Agents", "Agenten";
    main_agent: "main", "Hauptlauf";
    back_out: "Back to {agent} (Backspace)", "Zurück zu {agent} (Rücktaste)";
    took:
        "Took {time}, or as long until the next step",
        "Dauerte {time}, oder so lange bis zum nächsten Schritt";
    looks: "What to see of the step", "Was vom Schritt zu sehen ist";
    sides: "The store against what was sent", "Der Store gegen das, was gesendet wurde";
    side_store = "Store";
    side_sent: "Sent to model", "An das Modell gesendet";
    side_visible: "Visible to a model", "Für ein Modell sichtbar";
    side_facts: "{messages} · {n} characters", "{messages} · {n} Zeichen";
    side_tokens: "{facts} · {n} tokens", "{facts} · {n} Tokens";
    side_missing: "Not sent", "Nicht gesendet";
    side_not_stored: "Not in the store", "Nicht im Store";
    hidden_from_start: "Hidden from its start", "Von Anfang an verborgen";
    withheld_here: "Visible, but not sent", "Sichtbar, aber nicht gesendet";
    moved: "Sent in another place", "An anderer Stelle gesendet";
    no_model_call:
        "This step calls no model. On the right is what a model would see now.",
        "Dieser Schritt ruft kein Modell auf. Rechts steht, was ein Modell jetzt sähe.";
    previous_call: "Previous model call", "Voriger Modellaufruf";
    next_call: "Next model call", "Nächster Modellaufruf";
    show_hidden: "Hidden messages", "Verborgene Nachrichten";
    show_hidden_long: "Show what the model cannot see (H)", "Zeigen, was das Modell nicht sehen kann (H)";
    equal_characters: "… {n} characters that are the same …", "… {n} gleiche Zeichen …";
    state_tree: "State after this step", "Zustand nach diesem Schritt";
    only_changes: "Changed only", "Nur Geändertes";
    only_changes_long: "The difference to the step before (D)", "Der Unterschied zum vorigen Schritt (D)";
    filter_state: "Path or value", "Pfad oder Wert";
    filter_state_long:
        "Show what has this in its path or its value",
        "Zeigen, was dies im Pfad oder im Wert hat";
    state_none: "The state is empty.", "Der Zustand ist leer.";
    state_unchanged: "This step leaves the state as it was.", "Dieser Schritt lässt den Zustand, wie er war.";
    state_not_found: "Nothing in the state has {filter}.", "Nichts im Zustand enthält {filter}.";
    state_more:
        "and {n} values more: narrow them down by a part of their path",
        "und {n} weitere Werte: mit einem Teil ihres Pfads eingrenzen";
    state_hint: "Choose a value to see its history.", "Einen Wert wählen, um seinen Verlauf zu sehen.";
    inside: "{n} inside", "{n} darin";
    value_history: "History of {path}", "Verlauf von {path}";
    value_history_none:
        "No step of this run sets this value.",
        "Kein Schritt dieses Laufs setzt diesen Wert.";
    history_range: "{least} to {most}", "{least} bis {most}";
    history_one: "{n} value", "{n} Wert";
    history_many: "{n} values", "{n} Werte";
    history_here: "now", "jetzt";
    history_gone: "removed", "entfernt";
    history_close: "Close the history", "Verlauf schließen";
    chat: "The conversation at this step", "Das Gespräch bei diesem Schritt";
    chat_facts: "{messages} · {hidden} hidden", "{messages} · {hidden} verborgen";
    unanswered_one: "{n} call without a result", "{n} Aufruf ohne Ergebnis";
    unanswered_many: "{n} calls without a result", "{n} Aufrufe ohne Ergebnis";
    result_of_no_call: "No call has this id", "Kein Aufruf hat diese Id";
    call_waits: "Not run yet", "Noch nicht gelaufen";
    call_never: "No result", "Kein Ergebnis";
    call_done: "Succeeded", "Erfolgreich";
    result_hidden: "Result hidden", "Ergebnis verborgen";
    result_at: "Go to the result in step {step}", "Zum Ergebnis in Schritt {step}";
    milliseconds = "{n} ms";
    seconds = "{n} s";
    minutes = "{n} min";
    request = "Request";
    response = "Response";
    tool_request: "Call", "Aufruf";
    tool_response: "Result", "Ergebnis";
    response_none: "No response is recorded.", "Keine Response ist aufgezeichnet.";
    copy_json: "Copy as JSON", "Als JSON kopieren";
    copy_curl: "Copy as curl", "Als curl kopieren";
    copy_failed: "Not copied", "Nicht kopiert";
    copy_hint:
        "Keys, tokens and passwords are taken out of what is copied.",
        "Schlüssel, Tokens und Passwörter werden beim Kopieren herausgenommen.";
}
