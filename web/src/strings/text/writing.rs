//! Where the document is written: cards, forms and assertions.

texts! {
    // Cards and forms.
    cards: "Messages and turns";
    cards_switch: "Source as text or as cards";
    as_text: "Text";
    as_cards: "Cards";
    cards_frozen: "The cards can be changed again when the text can be read: mend it as text first.";
    card: "Selected card";
    card_add: "Add a message";
    card_other: "Other item";
    card_role: "Role";
    card_visible: "Visible to the model";
    card_up: "Move up (Alt+↑)";
    card_down: "Move down (Alt+↓)";
    card_remove: "Remove (Delete)";
    card_as_text: "This is no message: what it says is changed in the text.";
    card_says: "What it says";
    card_call: "Calls a tool";
    card_tool: "Tool";
    card_arguments: "Arguments, as JSON";
    card_no_map: "Arguments are a map, as in {\"location\": \"NYC\"}.";
    card_no_json: "Not JSON yet: {reason}.";
    undo: "Undo (Ctrl+Z)";
    redo: "Redo (Ctrl+Shift+Z)";
    form_switch: "Form of the document";
    form_to_compact: "Compact";
    form_to_full: "Full";
    form_expanded:
        "The compact text comes back byte for byte as long as the full one is not edited; undo brings it back too.";
    form_compacted:
        "The full text comes back byte for byte as long as the compact one is not edited; undo brings it back too.";
    form_not_written: "The form stays as it is: {reason}.";
    form_loses: "The compact form cannot say all of this document";
    form_loses_hint: "What it would lose:";
    form_anyway: "Convert anyway";
    form_keep: "Keep the full form";
    typed_on: "the text was changed meanwhile";

    // Assertions that are made of a value, and their outcomes.
    chip_assertions: "Assertions {n}/{of}";
    assertions_total: "✔ {n}/{of}";
    assertions_total_fail: "✖ {n}/{of}";
    asserted_hold_one: "{n} assertion about this step holds";
    asserted_hold_many: "{n} assertions about this step hold";
    asserted_fail_one: "{n} assertion about this step fails";
    asserted_fail_many: "{n} assertions about this step fail";
    assert: "Assert something of this value";
    assert_message: "Assert of what {id} says";
    assert_arguments: "Assert of a call of {tool}";
    assert_context: "Assert of the context";
    assert_at_end: "As it is when the run ends.";
    assert_part: "Part of it";
    assert_whole: "The whole";
    assert_pattern: "Text to contain";
    assert_equals: "Assert equals";
    assert_contains: "Assert contains";
    assert_exists: "Assert exists";
}
