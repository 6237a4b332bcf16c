//! Safe fixes carried out.

use transcript_core::document::{Document, Options};

#[track_caller]
fn check(text: &str, expected: &str, codes: &[&str]) {
    let options = Options::default();
    let fixed = Document::open_with(text, &options).apply_safe_fixes(&options);
    let applied: Vec<&str> = fixed.applied.iter().map(|fix| fix.code).collect();
    assert_eq!((fixed.text.as_str(), applied.as_slice()), (expected, codes));
    let again = Document::open_with(&fixed.text, &options);
    assert_eq!(again.apply_safe_fixes(&options).text, fixed.text);
    assert_eq!(again.diagnostics().len(), fixed.remaining);
}

#[test]
fn what_is_certain_is_mended() {
    check("version: 1.0 # v\nexecution: []\n", "version: \"1.0\" # v\nexecution: []\n", &["T102"]);
    check("messages:\n  - \"user: Hi\", # a\n", "messages:\n  - \"user: Hi\" # a\n", &["T001"]);
    check(
        "messages:\n  - user(hidden): Hi # a\n  - {role: user, content: So} # b\n  - user: 12\n",
        "messages:\n  - \"user(hidden): Hi\" # a\n  - \"user: So\" # b\n  - user: \"12\"\n",
        &["T106", "T106", "T104"],
    );
    check(
        "name: @me # c\nmessages: ['user: Hi']\n",
        "name: \"@me\" # c\nmessages: ['user: Hi']\n",
        &["T001"],
    );
    check(
        "execution:\n- {turn: 1, type: message} # a\n- {turn: 1, type: message}\n- {turn: 4, type: message}\n",
        "execution:\n- {turn: 1, type: message} # a\n- {turn: 2, type: message}\n- {turn: 3, type: message}\n",
        &["T205"],
    );
    check(
        "{\"messages\": ['user: it',\n \"assistant: 1\",], name: \"x\",}\n",
        "{\"messages\": [\"user: it\",\n \"assistant: 1\"], \"name\": \"x\"}\n",
        &["T010"],
    );
    check(
        "version: \"1.0\"\nmetadata: {name: 007}\nexecution: []\n",
        "version: \"1.0\"\nmetadata: {name: \"007\"}\nexecution: []\n",
        &["T104"],
    );
}

#[test]
fn a_guess_is_left_to_the_author() {
    let text = "messages:\n  - \"asistant: Hi\"\n";
    check(text, text, &[]);
    let falling = "execution:\n- {turn: 2, type: message}\n- {turn: 1, type: message}\n";
    check(falling, falling, &[]);
}
