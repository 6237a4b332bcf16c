//! The view Compare.

texts! {
    // Compare.
    compare_choose: "Compare {name} with", "{name} vergleichen mit";
    compare_other: "Choose another", "Anderes wählen";
    compare_swap: "Swap the sides", "Seiten tauschen";
    compare_ignore: "Leave out", "Weglassen";
    compare_only: "Only differences", "Nur Unterschiede";
    compare_next: "Next difference (J)", "Nächster Unterschied (J)";
    compare_previous: "Previous difference (K)", "Voriger Unterschied (K)";
    comparing: "Comparing…", "Wird verglichen…";
    compare_equal: "No difference.", "Kein Unterschied.";
    compare_turns:
        "{same} same, {changed} changed, {added} added, {removed} removed",
        "{same} gleich, {changed} geändert, {added} hinzugekommen, {removed} entfernt";
    compare_tools: "Tool calls", "Tool-Aufrufe";
    compare_tokens = "Tokens";
    compare_held: "Assertions that hold", "Assertions, die gelten";
    compare_rows: "Steps of both runs", "Schritte beider Läufe";
    compare_same: "Same", "Gleich";
    compare_changed: "Changed", "Geändert";
    compare_added: "Added", "Hinzugekommen";
    compare_removed: "Removed", "Entfernt";
    compare_nothing: "not here", "hier nicht";
    compare_outside:
        "Outside the run: metadata, settings, assertions",
        "Außerhalb des Laufs: Metadaten, Einstellungen, Assertions";
    compare_detail: "Differences of the row", "Unterschiede der Zeile";
    compare_select:
        "Select a row to see what differs.",
        "Eine Zeile auswählen, um zu sehen, was sich unterscheidet.";
    compare_row_same: "Both are the same here.", "Beide sind hier gleich.";
    compare_changes_one: "{n} difference", "{n} Unterschied";
    compare_changes_many: "{n} differences", "{n} Unterschiede";
    compare_lines_one: "{n} line that is the same", "{n} gleiche Zeile";
    compare_lines_many: "{n} lines that are the same", "{n} gleiche Zeilen";
    compare_unreadable:
        "{name} cannot be compared: line {line}: {message}.",
        "{name} lässt sich nicht vergleichen: Zeile {line}: {message}.";
    compare_no_run:
        "{name} cannot be compared: there is no run in it.",
        "{name} lässt sich nicht vergleichen: Es ist kein Lauf darin.";
}
