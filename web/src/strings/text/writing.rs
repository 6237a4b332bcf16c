//! Where the document is written: cards, forms and assertions.

texts! {
    // Cards and forms.
    cards: "Messages and turns";
    cards_switch: "Source as text or as cards";
    as_text: "Text";
    as_cards: "Cards";
    cards_frozen: "Cards cannot be changed now: fix the text first.";
    card: "Selected card";
    card_add: "Add a message";
    card_other: "Other item";
    card_role: "Role";
    card_visible: "Visible to the model";
    card_up: "Move up (Alt+↑)";
    card_down: "Move down (Alt+↓)";
    card_remove: "Remove (Delete)";
    card_as_text: "This is not a message: edit it as text.";
    card_says: "Text";
    card_call: "Calls a tool";
    card_no_call: "No tool call before this card waits for a result: add a tool call first.";
    card_tool: "Tool";
    card_arguments: "Arguments, as JSON";
    card_no_map: "Arguments must be a map: {\"location\": \"NYC\"}.";
    card_no_json: "Not JSON yet: {reason}.";
    undo: "Undo (Ctrl+Z)";
    redo: "Redo (Ctrl+Shift+Z)";
    form_switch: "Form of the document";
    form_to_compact: "Compact";
    form_to_full: "Full";
    form_expanded:
        "The compact text comes back unchanged if you do not edit the full one; you can also undo.";
    form_compacted:
        "The full text comes back unchanged if you do not edit the compact one; you can also undo.";
    form_not_written: "The form is unchanged: {reason}.";
    form_loses: "The compact form would lose data";
    form_loses_hint: "Lost data:";
    form_anyway: "Convert anyway";
    form_keep: "Keep the full form";
    typed_on: "the text has changed";

    // Assertions that are made of a value, and their outcomes.
    chip_assertions: "Assertions {n}/{of}";
    assertions_total: "✔ {n}/{of}";
    assertions_total_fail: "✖ {n}/{of}";
    asserted_hold_one: "{n} assertion about this step passed";
    asserted_hold_many: "{n} assertions about this step passed";
    asserted_fail_one: "{n} assertion about this step failed";
    asserted_fail_many: "{n} assertions about this step failed";
    assert: "Add assertion…";
    assert_message: "Add assertion on {id}";
    assert_arguments: "Add assertion on {tool}";
    assert_context: "Add assertion on the context";
    assert_at_end: "At the end of the run.";
    assert_part: "Part";
    assert_whole: "Whole";
    assert_pattern: "Text";
    assert_equals: "Assert equals";
    assert_contains: "Assert contains";
    assert_exists: "Assert exists";
}
