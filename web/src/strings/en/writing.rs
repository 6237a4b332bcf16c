//! What is said where the document is written: cards, forms and assertions.

// Cards and forms.
pub(crate) const CARDS: &str = "Messages and turns";
pub(crate) const CARDS_SWITCH: &str = "Source as text or as cards";
pub(crate) const AS_TEXT: &str = "Text";
pub(crate) const AS_CARDS: &str = "Cards";
pub(crate) const CARDS_FROZEN: &str =
    "The cards can be changed again when the text can be read: mend it as text first.";
pub(crate) const CARD: &str = "Selected card";
pub(crate) const CARD_ADD: &str = "Add a message";
pub(crate) const CARD_OTHER: &str = "Other item";
pub(crate) const CARD_ROLE: &str = "Role";
pub(crate) const CARD_VISIBLE: &str = "Visible to the model";
pub(crate) const CARD_UP: &str = "Move up (Alt+↑)";
pub(crate) const CARD_DOWN: &str = "Move down (Alt+↓)";
pub(crate) const CARD_REMOVE: &str = "Remove (Delete)";
pub(crate) const CARD_AS_TEXT: &str = "This is no message: what it says is changed in the text.";
pub(crate) const CARD_SAYS: &str = "What it says";
pub(crate) const CARD_CALL: &str = "Calls a tool";
pub(crate) const CARD_TOOL: &str = "Tool";
pub(crate) const CARD_ARGUMENTS: &str = "Arguments, as JSON";
pub(crate) const CARD_NO_MAP: &str = "Arguments are a map, as in {\"location\": \"NYC\"}.";
pub(crate) const CARD_NO_JSON: &str = "Not JSON yet: {reason}.";
pub(crate) const UNDO: &str = "Undo (Ctrl+Z)";
pub(crate) const REDO: &str = "Redo (Ctrl+Shift+Z)";
pub(crate) const FORM_SWITCH: &str = "Form of the document";
pub(crate) const FORM_TO_COMPACT: &str = "Compact";
pub(crate) const FORM_TO_FULL: &str = "Full";
pub(crate) const FORM_EXPANDED: &str = "The compact text comes back byte for byte as long as the full one is not edited; undo brings it back too.";
pub(crate) const FORM_COMPACTED: &str = "The full text comes back byte for byte as long as the compact one is not edited; undo brings it back too.";
pub(crate) const FORM_NOT_WRITTEN: &str = "The form stays as it is: {reason}.";
pub(crate) const FORM_LOSES: &str = "The compact form cannot say all of this document";
pub(crate) const FORM_LOSES_HINT: &str = "What it would lose:";
pub(crate) const FORM_ANYWAY: &str = "Convert anyway";
pub(crate) const FORM_KEEP: &str = "Keep the full form";
pub(crate) const TYPED_ON: &str = "the text was changed meanwhile";

// Assertions that are made of a value, and what came of them.
pub(crate) const ASSERTIONS_TOTAL: &str = "✔ {n}/{of}";
pub(crate) const ASSERTIONS_TOTAL_FAIL: &str = "✖ {n}/{of}";
pub(crate) const ASSERTED_HOLD_ONE: &str = "{n} assertion about this step holds";
pub(crate) const ASSERTED_HOLD_MANY: &str = "{n} assertions about this step hold";
pub(crate) const ASSERTED_FAIL_ONE: &str = "{n} assertion about this step fails";
pub(crate) const ASSERTED_FAIL_MANY: &str = "{n} assertions about this step fail";
pub(crate) const ASSERT: &str = "Assert something of this value";
pub(crate) const ASSERT_MESSAGE: &str = "Assert of what {id} says";
pub(crate) const ASSERT_ARGUMENTS: &str = "Assert of a call of {tool}";
pub(crate) const ASSERT_CONTEXT: &str = "Assert of the context";
pub(crate) const ASSERT_AT_END: &str = "As it is when the run ends.";
pub(crate) const ASSERT_PART: &str = "Part of it";
pub(crate) const ASSERT_WHOLE: &str = "The whole";
pub(crate) const ASSERT_PATTERN: &str = "Text to contain";
pub(crate) const ASSERT_EQUALS: &str = "Assert equals";
pub(crate) const ASSERT_CONTAINS: &str = "Assert contains";
pub(crate) const ASSERT_EXISTS: &str = "Assert exists";
