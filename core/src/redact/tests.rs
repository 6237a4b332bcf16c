use super::*;
use crate::text::Span;

fn redacted(text: &str) -> Redacted {
    redact(text, &Options::default(), &Limits::default())
}

#[test]
fn one_secret_has_one_placeholder_in_every_form() {
    let text = "\
# key sk-proj-q7Zr2mKd91xTbV4nLw8Hs
messages:
  - \"assistant:call login(key=\\\"sk-proj-q7Zr2m\\u004bd91xTbV4nLw8Hs\\\")\"
  - 'tool:login: {\"password\": \"open sesame\", \"mail\": \"ann@acme.io\"}'
context:
  sk-proj-q7Zr2mKd91xTbV4nLw8Hs: {pass: \"no\", db_password: 1234}
  note: open sesame
";
    let expected = "\
# key <secret-1>
messages:
  - \"assistant:call login(key=\\\"<secret-1>\\\")\"
  - 'tool:login: {\"password\": \"<secret-2>\", \"mail\": \"<email-1>\"}'
context:
  <secret-1>: {pass: \"no\", db_password: \"<secret-3>\"}
  note: <secret-2>
";
    let first = redacted(text);
    assert_eq!(first.text, expected);
    let items: Vec<_> = first
        .report
        .items
        .iter()
        .map(|item| (item.kind, &*item.placeholder, &*item.hint, item.length, item.places.len()))
        .collect();
    assert_eq!(
        items,
        [
            ("openai-key", "<secret-1>", "sk-", 29, 3),
            ("password", "<secret-2>", "", 11, 2),
            ("email", "<email-1>", "", 11, 1),
            ("password", "<secret-3>", "", 4, 1),
        ]
    );
    assert_eq!(redacted(expected).text, expected);
    assert!(redacted(expected).report.items.is_empty());
}

#[test]
fn numbers_go_on_after_those_that_are_taken() {
    assert_eq!(redacted("a: <email-7> ann@acme.io\n").text, "a: <email-7> <email-8>\n");
}

#[test]
fn literals_and_kinds_are_the_callers() {
    let options =
        Options { kinds: vec![], literals: vec!["Acme".to_owned(), "4711".to_owned()], keys: Vec::new() };
    let text = "a: Acme ann@acme.io\nb: 4711\nc: <secret-4711>\n";
    let out = redact(text, &options, &Limits::default());
    assert_eq!(out.text, "a: <secret-4712> ann@acme.io\nb: \"<secret-4713>\"\nc: <secret-4711>\n");
    assert_eq!(out.report.items[0].kind, "literal");
}

#[test]
fn blocks_json_and_broken_texts_keep_their_form() {
    let key = "-----BEGIN PRIVATE KEY-----\n    q7Zr2mKd91xTbV4nLw8Hs3Jc6PyE0gUf5iRaXoQkq7Zr\n    -----END PRIVATE KEY-----";
    assert_eq!(
        redacted(&format!("a: |\n    x\n    {key}\nb: 1\n")).text,
        "a: |\n    x\n    <secret-1>\nb: 1\n"
    );
    assert_eq!(
        redacted("{\"password\": \"x\\ny\", \"pin\": 1}\n").text,
        "{\"password\": \"<secret-1>\", \"pin\": 1}\n"
    );
    assert_eq!(redacted("password: |\n  one\n  two\n").text, "password: |\n  <secret-1>\n");
    let broken = "a: [ann@acme.io\nb: \"bob@acme.io\n";
    assert_eq!(redacted(broken).text, "a: [<email-1>\nb: \"<email-2>\n");
}

#[test]
fn aliases_follow_their_anchor() {
    let text = "a: &m ann@acme.io\nb: *m\nc: [*m, '*m']\n";
    assert_eq!(redacted(text).text, "a: &m <email-1>\nb: *m\nc: [*m, '*m']\n");
}

#[test]
fn blobs_that_changed_are_reported() {
    let text = "blobs:\n  sha256:aa: mail ann@acme.io\n  sha256:bb: nothing\n";
    let report = redacted(text).report;
    assert_eq!(report.stale_blobs, [StaleBlob { name: "sha256:aa".to_owned(), span: Span::new(9, 18) }]);
}

#[test]
fn binary_content_is_left_alone() {
    let text = "a: {$binary: {media_type: text/plain, base64: AKIAQ3XW7PLZ2MNB4VTC}}\n";
    assert_eq!(redacted(text).text, text);
}

#[test]
fn a_form_that_cannot_be_kept_is_reported() {
    // A tag cannot contain `<`, so that the placeholder in it leaves an unreadable line.
    let text = "messages:\n  - !https://ann:q7Zr2mKd91@acme.io/t 'user: Hi'\n";
    let out = redacted(text);
    assert_eq!(out.text, "messages:\n  - !https://ann:<secret-1>@acme.io/t 'user: Hi'\n");
    assert!(out.form_changed);
    assert_eq!(out.report.items.len(), 1);
    assert!(!redacted("messages:\n  - 'user: https://ann:q7Zr2mKd91@acme.io/t'\n").form_changed);
}

#[test]
fn remembered_secrets_are_given_up_before_the_form() {
    let options = Options { kinds: vec![], literals: vec!["[".to_owned()], keys: Vec::new() };
    let out = redact("a: [1]\nb: 'x [ y'\n", &options, &Limits::default());
    assert!(!out.form_changed);
    assert_eq!(out.text, "a: [1]\nb: 'x [ y'\n");
}

#[test]
fn line_ends_and_a_byte_order_mark_stay() {
    let text = "\u{feff}messages:\r\n  - 'user: ann@acme.io'\r\n";
    assert_eq!(redacted(text).text, "\u{feff}messages:\r\n  - 'user: <email-1>'\r\n");
}
