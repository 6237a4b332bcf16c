//! Problems and assertions.

texts! {
    // Problems.
    problems: "Problems", "Probleme";
    problems_label: "Problems in the source", "Probleme im Quelltext";
    problems_none: "No problems", "Keine Probleme";
    severity_error: "Error", "Fehler";
    severity_warning: "Warning", "Warnung";
    severity_info: "Info", "Hinweis";
    mark_error: "Error in line", "Fehler in Zeile";
    mark_warning: "Warning in line", "Warnung in Zeile";
    mark_info: "Remark on line", "Hinweis zu Zeile";
    at: "line {line}, column {column}", "Zeile {line}, Spalte {column}";
    next_problem: "Next problem (F8)", "Nächstes Problem (F8)";
    previous_problem: "Previous problem (Shift+F8)", "Voriges Problem (Umschalt+F8)";
    apply_fix: "Fix: {title}", "Beheben: {title}";
    apply_one: "Apply 1 certain fix", "1 sichere Korrektur anwenden";
    apply_many: "Apply {n} certain fixes", "{n} sichere Korrekturen anwenden";
    explain: "What {code} means (opens a page)", "Was {code} bedeutet (öffnet eine Seite)";

    // Assertions.
    dock: "Lists", "Listen";
    assertions = "Assertions";
    checking: "Checking…", "Wird geprüft…";
    assertions_none: "The document has no assertions.", "Das Dokument hat keine Assertions.";
    assertions_held: "{n} of {of} hold", "{n} von {of} gelten";
    assertion_holds: "Holds", "Gilt";
    assertion_fails: "Fails", "Gilt nicht";
    assertion_untold: "Cannot be told", "Nicht feststellbar";
    assertion_step: "step {step}", "Schritt {step}";
    assertion_expected: "expected {value}", "erwartet {value}";
    assertion_actual: "found {value}", "gefunden {value}";
}
