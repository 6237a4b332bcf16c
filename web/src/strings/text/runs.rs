//! Runs: twice, in a mode, from a changed step; and the log.

texts! {
    // Determinism.
    determinism: "Determinism", "Determinismus";
    twice: "Run twice", "Zweimal ausführen";
    twice_again: "Run twice again", "Noch einmal zweimal ausführen";
    shuffle_and_replay: "Shuffle and replay twice", "Mischen und zweimal abspielen";
    shuffle_again: "Shuffle again", "Noch einmal mischen";
    twice_hint:
        "The second run is made by another instance, of the same document with the keys of all its maps the other way round.",
        "Den zweiten Lauf macht eine andere Instanz, vom selben Dokument mit den Schlüsseln aller Maps in umgekehrter Reihenfolge.";
    twice_events:
        "The second run is made by another instance, of the same log with its lines in another order.",
        "Den zweiten Lauf macht eine andere Instanz, vom selben Protokoll mit den Zeilen in anderer Reihenfolge.";
    twice_working: "Running twice…", "Läuft zweimal…";
    twice_not: "It was not run: {reason}.", "Es wurde nicht ausgeführt: {reason}.";
    twice_same:
        "Deterministic: both runs are the same, byte for byte.",
        "Deterministisch: Beide Läufe sind gleich, Byte für Byte.";
    twice_different:
        "Not deterministic: the runs differ.",
        "Nicht deterministisch: Die Läufe unterscheiden sich.";
    twice_fails:
        "Both runs are the same, and both fail.",
        "Beide Läufe sind gleich, und beide schlagen fehl.";
    twice_old: "The document was changed since.", "Das Dokument wurde seitdem geändert.";
    twice_failure = "{event}: {message}";
    twice_command: "On the command line:", "Auf der Kommandozeile:";
    first_run: "First run", "Erster Lauf";
    second_run: "Second run", "Zweiter Lauf";
    first_run_of: "{name}_first_run.yaml", "{name}_erster_lauf.yaml";
    second_run_of: "{name}_second_run.yaml", "{name}_zweiter_lauf.yaml";
    parted_first: "First difference:", "Erster Unterschied:";
    parted: "step {step}, {path}", "Schritt {step}, {path}";
    cause: "Likely cause:", "Wahrscheinliche Ursache:";
    cause_time:
        "a point in time. Record it, or leave it out of what is compared.",
        "ein Zeitpunkt. Ihn aufzeichnen oder beim Vergleich weglassen.";
    cause_id:
        "an id that is made anew each time. Record it, or make it of what is given.",
        "eine Id, die jedes Mal neu gemacht wird. Sie aufzeichnen oder aus Gegebenem bilden.";
    cause_number:
        "a number that is drawn by chance. Record it, or fix the seed.",
        "eine Zahl, die der Zufall zieht. Sie aufzeichnen oder den Seed festlegen.";
    cause_order:
        "the same in another order, as of the keys of a map, which have none in YAML and JSON. Sort them.",
        "dasselbe in anderer Reihenfolge, etwa die Schlüssel einer Map, die in YAML und JSON keine haben. Sie sortieren.";
    around: "Steps around the first difference", "Schritte um den ersten Unterschied";
    open_in_compare: "Open in Compare", "Im Vergleich öffnen";
    chip_same: "Deterministic {print}", "Deterministisch {print}";
    chip_different: "Not deterministic", "Nicht deterministisch";

    // Running.
    run: "Run", "Ausführen";
    run_group: "Run the document", "Das Dokument ausführen";
    run_title:
        "Check the document, play it, hold its assertions against it (Ctrl+Enter)",
        "Das Dokument prüfen, abspielen und seine Assertions dagegenhalten (Strg+Eingabe)";
    run_mode: "Mode of the run", "Art des Laufs";
    run_told:
        "{mode}: {matched} matched, {substituted} substituted, {skipped} skipped, {diverged} diverged",
        "{mode}: {matched} gleich, {substituted} ersetzt, {skipped} übersprungen, {diverged} abgewichen";
    run_not: "{mode}: not run, for {reason}.", "{mode}: nicht ausgeführt, denn {reason}.";
    run_extra:
        "Steps of the run that were not recorded: {n}",
        "Schritte des Laufs, die nicht aufgezeichnet waren: {n}";
    run_open: "Open this run as a document", "Diesen Lauf als Dokument öffnen";
    run_why: "Differs in {path}", "Unterscheidet sich in {path}";

    // Changing a step.
    change_this: "Change this step and replay (C)", "Diesen Schritt ändern und abspielen (C)";
    change_step: "Change step {step}", "Schritt {step} ändern";
    change_hint:
        "What follows is worked out again; where an answer no longer holds, you are asked for it. The document stays as it is, and the new run is opened as another one.",
        "Was folgt, wird neu berechnet; wo eine Antwort nicht mehr gilt, wird nach ihr gefragt. Das Dokument bleibt, wie es ist; der neue Lauf wird als anderes geöffnet.";
    change_answer: "What the model answers", "Was das Modell antwortet";
    change_answer_hint:
        "A text, or JSON with `content` and `tool_calls`, each with `name` and `arguments`",
        "Ein Text, oder JSON mit `content` und `tool_calls`, je mit `name` und `arguments`";
    change_result: "What the tool returns", "Was das Tool zurückgibt";
    change_message: "What the message says", "Was die Nachricht sagt";
    change_and_replay: "Change and replay", "Ändern und abspielen";
    change_fail: "Fail with this instead", "Stattdessen damit fehlschlagen";
    change_skip: "Skip this step", "Diesen Schritt überspringen";
    change_move: "Move to the place of step", "An die Stelle von Schritt";
    change_move_it: "Move and replay", "Verschieben und abspielen";
    change_back: "Step back", "Schritt zurück";
    change_open: "Open as a new document", "Als neues Dokument öffnen";
    change_marks: "What became of each step", "Was aus jedem Schritt wurde";
    change_holds: "every step of the new run holds", "jeder Schritt des neuen Laufs gilt";
    change_holds_not: "not every step of the new run holds", "nicht jeder Schritt des neuen Laufs gilt";
    changed_name: "{name}_from_{step}.yaml", "{name}_ab_{step}.yaml";
    replaying: "Replaying…", "Wird abgespielt…";
    needs_answer:
        "Step {step} is asked something else than was recorded. What does the model answer?",
        "Schritt {step} wird etwas anderes gefragt als aufgezeichnet. Was antwortet das Modell?";
    needs_result:
        "Step {step}: nothing is recorded for this call. What does {tool} return for {arguments}?",
        "Schritt {step}: Für diesen Aufruf ist nichts aufgezeichnet. Was gibt {tool} für {arguments} zurück?";
    needs_sent: "What the model is sent", "Was dem Modell gesendet wird";
    take_handlers: "Take what the handlers answer", "Antwort der Handler nehmen";
    mark_kept: "Kept", "Beibehalten";
    mark_changed: "Changed", "Geändert";
    mark_recomputed: "Recomputed", "Neu berechnet";
    mark_diverged: "Asked something else", "Anders gefragt";
    mark_depends: "Depends on a step that no longer holds", "Hängt von einem Schritt ab, der nicht mehr gilt";
    mark_unanswered: "Needs an answer", "Braucht eine Antwort";
    mark_orphaned: "Result without its call", "Ergebnis ohne Aufruf";
    mark_was: "was step {step}", "war Schritt {step}";
    mark_dropped: "Step {step} is gone: {why}", "Schritt {step} ist weg: {why}";
    note_changed:
        "Changed step {step}, and opened the new run as {name}",
        "Schritt {step} geändert und den neuen Lauf als {name} geöffnet";

    // Log.
    log: "Log", "Protokoll";
    log_hint:
        "What this page did, newest first. It is kept nowhere, and no text of a document is in it.",
        "Was diese Seite tat, Neuestes zuerst. Es wird nirgends aufbewahrt und enthält keinen Text eines Dokuments.";
    note_opened:
        "Opened {name}: {form}, {steps} steps; {errors} errors, {warnings} warnings; read in {ms} ms",
        "{name} geöffnet: {form}, {steps} Schritte; {errors} Fehler, {warnings} Warnungen; in {ms} ms gelesen";
    note_read:
        "Read again after a change: {steps} steps, {errors} errors, {warnings} warnings, in {ms} ms",
        "Nach einer Änderung neu gelesen: {steps} Schritte, {errors} Fehler, {warnings} Warnungen, in {ms} ms";
    note_saved: "Saved on this device", "Auf diesem Gerät gespeichert";
    note_not_saved: "Not saved: {reason}", "Nicht gespeichert: {reason}";
    note_not_opened: "{name} was not opened: {reason}", "{name} wurde nicht geöffnet: {reason}";
    note_reader: "The reader failed: {reason}", "Das Lesen schlug fehl: {reason}";
    note_same: "Ran twice in {ms} ms: the same", "Zweimal ausgeführt in {ms} ms: gleich";
    note_different:
        "Ran twice in {ms} ms: not the same, or failed",
        "Zweimal ausgeführt in {ms} ms: nicht gleich, oder fehlgeschlagen";
    note_not_run: "Not run twice", "Nicht zweimal ausgeführt";
    note_run:
        "Ran {mode} in {ms} ms: {matched} matched, {substituted} substituted, {skipped} skipped, {diverged} diverged",
        "{mode} ausgeführt in {ms} ms: {matched} gleich, {substituted} ersetzt, {skipped} übersprungen, {diverged} abgewichen";
    note_run_errors: "Not run: the document has errors", "Nicht ausgeführt: Das Dokument hat Fehler";
}
