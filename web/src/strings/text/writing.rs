//! Where the document is written: cards, forms and assertions.

texts! {
    // Cards and forms.
    cards: "Messages and turns", "Nachrichten und Runden";
    cards_switch: "Source as text or as cards", "Quelltext als Text oder als Karten";
    as_text = "Text";
    as_cards: "Cards", "Karten";
    cards_frozen:
        "The cards can be changed again when the text can be read: mend it as text first.",
        "Die Karten lassen sich wieder ändern, wenn der Text lesbar ist: ihn zuerst als Text in Ordnung bringen.";
    card: "Selected card", "Ausgewählte Karte";
    card_add: "Add a message", "Nachricht ergänzen";
    card_other: "Other item", "Anderer Eintrag";
    card_role: "Role", "Rolle";
    card_visible: "Visible to the model", "Für das Modell sichtbar";
    card_up: "Move up (Alt+↑)", "Nach oben (Alt+↑)";
    card_down: "Move down (Alt+↓)", "Nach unten (Alt+↓)";
    card_remove: "Remove (Delete)", "Entfernen (Entf)";
    card_as_text:
        "This is no message: what it says is changed in the text.",
        "Das ist keine Nachricht: Was es sagt, wird im Text geändert.";
    card_says: "What it says", "Was sie sagt";
    card_call: "Calls a tool", "Ruft ein Tool auf";
    card_tool = "Tool";
    card_arguments: "Arguments, as JSON", "Argumente, als JSON";
    card_no_map:
        "Arguments are a map, as in {\"location\": \"NYC\"}.",
        "Argumente sind eine Map, wie in {\"location\": \"NYC\"}.";
    card_no_json: "Not JSON yet: {reason}.", "Noch kein JSON: {reason}.";
    undo: "Undo (Ctrl+Z)", "Rückgängig (Strg+Z)";
    redo: "Redo (Ctrl+Shift+Z)", "Wiederholen (Strg+Umschalt+Z)";
    form_switch: "Form of the document", "Form des Dokuments";
    form_to_compact: "Compact", "Kompakt";
    form_to_full: "Full", "Voll";
    form_expanded:
        "The compact text comes back byte for byte as long as the full one is not edited; undo brings it back too.",
        "Der kompakte Text kommt Byte für Byte zurück, solange der volle nicht bearbeitet wird; auch Rückgängig bringt ihn zurück.";
    form_compacted:
        "The full text comes back byte for byte as long as the compact one is not edited; undo brings it back too.",
        "Der volle Text kommt Byte für Byte zurück, solange der kompakte nicht bearbeitet wird; auch Rückgängig bringt ihn zurück.";
    form_not_written: "The form stays as it is: {reason}.", "Die Form bleibt, wie sie ist: {reason}.";
    form_loses:
        "The compact form cannot say all of this document",
        "Die kompakte Form kann nicht alles von diesem Dokument sagen";
    form_loses_hint: "What it would lose:", "Was sie verlöre:";
    form_anyway: "Convert anyway", "Trotzdem umwandeln";
    form_keep: "Keep the full form", "Volle Form behalten";
    typed_on: "the text was changed meanwhile", "der Text wurde inzwischen geändert";

    // Assertions that are made of a value, and what came of them.
    assertions_total = "✔ {n}/{of}";
    assertions_total_fail = "✖ {n}/{of}";
    asserted_hold_one: "{n} assertion about this step holds", "{n} Assertion über diesen Schritt gilt";
    asserted_hold_many: "{n} assertions about this step hold", "{n} Assertions über diesen Schritt gelten";
    asserted_fail_one: "{n} assertion about this step fails", "{n} Assertion über diesen Schritt gilt nicht";
    asserted_fail_many:
        "{n} assertions about this step fail",
        "{n} Assertions über diesen Schritt gelten nicht";
    assert: "Assert something of this value", "Assertion über diesen Wert";
    assert_message: "Assert of what {id} says", "Assertion über den Text von {id}";
    assert_arguments: "Assert of a call of {tool}", "Assertion über einen Aufruf von {tool}";
    assert_context: "Assert of the context", "Assertion über den Kontext";
    assert_at_end: "As it is when the run ends.", "Wie es am Ende des Laufs ist.";
    assert_part: "Part of it", "Ein Teil davon";
    assert_whole: "The whole", "Das Ganze";
    assert_pattern: "Text to contain", "Enthaltener Text";
    assert_equals: "Assert equals", "Assertion: ist gleich";
    assert_contains: "Assert contains", "Assertion: enthält";
    assert_exists: "Assert exists", "Assertion: existiert";
}
