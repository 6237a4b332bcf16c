//! Redaction of generated documents with planted secrets.

use std::collections::BTreeSet;

use proptest::prelude::*;
use proptest::test_runner::TestCaseResult;
use transcript_core::document::Document;
use transcript_core::parse::{Limits, parse};
use transcript_core::redact::{Options, redact};
use transcript_core::secrets::is_placeholder;

use crate::holds;

/// A secret of one of several shapes.
fn secret() -> impl Strategy<Value = String> {
    let body = "[A-Za-z0-9]{36}".prop_filter("looks drawn by lot", |body| {
        !is_placeholder(body)
            && body.bytes().any(|byte| byte.is_ascii_digit())
            && body.bytes().any(|byte| byte.is_ascii_alphabetic())
    });
    (body, 0..6_usize).prop_map(|(body, shape)| match shape {
        0 => format!("sk-proj-{body}"),
        1 => format!("sk-ant-api03-{body}"),
        2 => format!("ghp_{body}"),
        3 => format!("xoxb-{body}"),
        4 => format!("{}@acme.io", body[..12].to_lowercase()),
        _ => format!("npm_{body}"),
    })
}

/// A secret put into a document in one of several ways: the line that holds it.
fn line(secret: &str, way: usize) -> String {
    match way {
        0 => format!("  - \"user: here is {secret}.\""),
        1 => format!("  - 'assistant: it''s {secret}, is it?' # {secret}"),
        2 => format!(
            "  - \"assistant:call login(key='{secret}')\"\n  - 'tool:login: {{\"key\": \"{secret}\"}}'"
        ),
        3 => format!("  - |\n    user: several lines\n    {secret}\n    and more"),
        4 => {
            let (head, tail) = secret.split_at(1);
            let code = u32::from(head.chars().next().unwrap());
            format!("  - \"user: escaped \\u{code:04x}{tail}\"")
        }
        5 => format!("  - user: plain {secret}"),
        6 => format!(
            "  - \"assistant:call login(password='{secret}')\"\n  - \"tool:login: {{password: {secret}, n: 1}}\""
        ),
        7 => format!("  - \"user: DB_PASSWORD={secret} and my password: {secret}\""),
        8 => format!("  - context: {{password: {secret}, user: x}}"),
        _ => format!("  - context: {{{secret}: a key, list: [{secret}, x]}}"),
    }
}

/// A document, with the secrets in it.
fn document() -> impl Strategy<Value = (String, Vec<String>)> {
    let plants = prop::collection::vec((0..4_usize, 0..10_usize), 1..10);
    (prop::collection::vec(secret(), 4), plants).prop_map(|(secrets, plants)| {
        let mut text = "name: generated\nmessages:\n  - \"user: no secret\"\n".to_owned();
        let mut used = BTreeSet::new();
        for (secret, way) in plants {
            used.insert(secrets[secret].clone());
            text.push_str(&line(&secrets[secret], way));
            text.push('\n');
        }
        (text, used.into_iter().collect())
    })
}

fn kinds(text: &str) -> Vec<String> {
    let document = Document::open(text, &Limits::default());
    assert!(document.is_ok(), "{text}\n{:?}", document.diagnostics());
    document.steps().into_iter().map(|step| format!("{} {:?}", step.kind, step.role)).collect()
}

/// What an implementation returns: the text, and each secret's placeholder by the report.
type Implementation = fn(&str) -> (String, Vec<String>);

fn real(text: &str) -> (String, Vec<String>) {
    let redacted = redact(text, &Options::default(), &Limits::default());
    (redacted.text, redacted.report.items.into_iter().map(|item| item.placeholder).collect())
}

fn property((text, secrets): (String, Vec<String>), redact: Implementation) -> TestCaseResult {
    let (out, placeholders) = redact(&text);
    let failure = |what: &str| Err(TestCaseError::fail(format!("{what}\n{text}\n---\n{out}")));
    if secrets.iter().any(|secret| out.contains(&secret[1..])) {
        return failure("a secret is left");
    }
    if placeholders.len() != secrets.len() {
        return failure("secrets and placeholders are not one for one");
    }
    if redact(&out) != (out.clone(), Vec::new()) {
        return failure("a second run finds something");
    }
    if kinds(&text) != kinds(&out) {
        return failure("the steps differ");
    }
    // Some order of the secrets put back gives the document back.
    let data = |text: &str| parse(text, &Limits::default()).root.unwrap().to_value().to_string();
    let (before, mut after) = (data(&text), data(&out));
    for placeholder in &placeholders {
        let found = secrets.iter().find(|secret| {
            let with = after.replacen(placeholder.as_str(), secret, 1);
            let end = after.find(placeholder.as_str()).map_or(0, |at| at + secret.len());
            before.get(..end).is_some_and(|head| with.get(..end) == Some(head))
        });
        let Some(secret) =
            found.or_else(|| secrets.first().filter(|_| !after.contains(placeholder.as_str())))
        else {
            return failure("the data around a secret differs");
        };
        after = after.replace(placeholder.as_str(), secret);
    }
    // A secret only in comments is not in the data, so any placeholder may replace it.
    if before == after { Ok(()) } else { failure("the data differs") }
}

#[test]
fn redaction_is_complete_consistent_and_repeatable() {
    holds(&document(), |case| property(case, real)).unwrap();
}

#[test]
fn broken_redactions_are_caught() {
    // The first place of each secret only.
    let first_only: Implementation = |text| {
        let redacted = redact(text, &Options::default(), &Limits::default());
        let mut edits: Vec<_> =
            redacted.report.items.iter().map(|item| (item.places[0], item.placeholder.clone())).collect();
        edits.sort();
        let mut out = text.to_owned();
        for (span, placeholder) in edits.iter().rev() {
            out.replace_range(span.start as usize..span.end as usize, placeholder);
        }
        (out, edits.into_iter().map(|(_, placeholder)| placeholder).collect())
    };
    // A new placeholder for every place.
    let anew: Implementation = |text| {
        let redacted = redact(text, &Options::default(), &Limits::default());
        let items = redacted.report.items.iter();
        let names = items.flat_map(|item| item.places.iter().map(|_| item.placeholder.clone())).collect();
        (redacted.text, names)
    };
    for broken in [first_only, anew] {
        assert!(holds(&document(), |case| property(case, broken)).is_err());
    }
}

#[test]
fn many_secrets_and_texts_made_to_be_slow_end_soon() {
    let many: String = (0..20_000)
        .map(|at| format!("- \"mail{at}@acme.io and ghp_{at:05}q7Zr2mKd91xTbV4nLw8Hs3Jc6PyE0g\"\n"))
        .collect();
    let found = redact(&many, &Options::default(), &Limits::default());
    assert_eq!(found.report.items.len(), 40_000);
    let parts = [
        "password=",
        "a@",
        "Bearer ",
        "http://a:",
        "eyJa.",
        "sk-",
        "-----BEGIN PRIVATE KEY-----",
        "<secret-",
        "token: \"",
    ];
    for part in parts {
        let text = format!("a: |\n  {}\n", part.repeat(200_000 / part.len()));
        let found = redact(&text, &Options::default(), &Limits::default());
        assert!(found.report.items.len() < 3, "{part}: {:?}", found.report.items.len());
    }
}

fn redacted(text: &str) -> String {
    redact(text, &Options::default(), &Limits::default()).text
}

#[test]
fn keys_roles_and_names_stay() {
    let text =
        "context: {password: assistant, secret: messages}\nmessages:\n- \"user: hi\"\n- \"assistant: yo\"\n";
    let expected = "context: {password: <secret-1>, secret: <secret-2>}\nmessages:\n- \"user: hi\"\n- \"assistant: yo\"\n";
    assert_eq!(redacted(text), expected);
    assert_eq!(redacted("context: {password: password}\n"), "context: {password: <secret-1>}\n");
    let options = Options { literals: vec!["user".to_owned()], ..Options::default() };
    let out = redact("messages: ['user: call the user']\n", &options, &Limits::default());
    assert_eq!(out.text, "messages: ['user: call the <secret-1>']\n");
    let named = "context: {password: login}\nmessages:\n- 'user: login'\n- \"assistant:call login(login='a login')\"\n- 'tool:login: login'\n";
    let out = redacted(named);
    assert!(
        out.contains("call login(login='a <secret-1>')") && out.contains("'tool:login: <secret-1>'"),
        "{out}"
    );
    assert_eq!(kinds(named), kinds(&out));
}

#[test]
fn passwords_are_replaced_whole() {
    for (line, expected) in [
        (r#"'tool:f: {"password": "ab\"cdefgh"}'"#, r#"'tool:f: {"password": "<secret-1>"}'"#),
        (r#"'tool:f: {"password": "correct\nhorse"}'"#, r#"'tool:f: {"password": "<secret-1>"}'"#),
        (r#""tool:f: {\"password\": 48151623}""#, r#""tool:f: {\"password\": \"<secret-1>\"}""#),
        (r#""tool:f: {password: correcthorse, user: x}""#, r#""tool:f: {password: <secret-1>, user: x}""#),
        (r#""tool:f: {password: 48151623}""#, r#""tool:f: {password: <secret-1>}""#),
        (r#""assistant:call login(password=48151623)""#, r#""assistant:call login(password='<secret-1>')""#),
        (r#""user: export DB_PASSWORD=correcthorsebattery""#, r#""user: export DB_PASSWORD=<secret-1>""#),
        (r#""user: password=hunter3""#, r#""user: password=<secret-1>""#),
        ("'assistant:call f(a=1) password=hunter2hunter2'", "'assistant:call f(a=1) password=<secret-1>'"),
        (r#""user: my password: hunter2""#, r#""user: my password: <secret-1>""#),
        (r#""user: Authorization: token Zq81LmTr7ppQw""#, r#""user: Authorization: token <secret-1>""#),
        (r#""user: the password: is wrong""#, r#""user: the password: is wrong""#),
        (r#""user: mail müller@firma.de""#, r#""user: mail <email-1>""#),
        (r#""user: postgres://u:p@ss/word@h.io/db""#, r#""user: postgres://u:<secret-1>@h.io/db""#),
    ] {
        let out = redacted(&format!("messages:\n- {line}\n"));
        assert_eq!(out, format!("messages:\n- {expected}\n"));
        assert_eq!(redacted(&out), out);
    }
    let text =
        "context: {password: \"$uper5ecret!\", b_password: \"%Pa55word\", c_password: \"*Star9word\"}\n";
    let expected =
        "context: {password: \"<secret-1>\", b_password: \"<secret-2>\", c_password: \"<secret-3>\"}\n";
    assert_eq!(redacted(text), expected);
}

#[test]
fn one_secret_has_one_placeholder() {
    let text = "context: {password: 48151623, pwd: ab1, secret: true, n: 48151623}\nmessages:\n- \"user: it is 48151623, ab1, true, x48151623\"\n- \"assistant:call f(pin=48151623)\"\n";
    let expected = "context: {password: \"<secret-1>\", pwd: <secret-2>, secret: \"<secret-3>\", n: \"<secret-1>\"}\nmessages:\n- \"user: it is <secret-1>, ab1, true, x48151623\"\n- \"assistant:call f(pin='<secret-1>')\"\n";
    assert_eq!(redacted(text), expected);
    let text = "context: {password: 'ab\"cd'}\nmessages:\n- 'tool:f: {\"a\": \"ab\\\"cd\"}'\n";
    let out = redacted(text);
    assert_eq!(out, "context: {password: '<secret-1>'}\nmessages:\n- 'tool:f: {\"a\": \"<secret-1>\"}'\n");
    let many: String =
        (0..200).map(|at| format!("  - password: 'p!{at:03} q'\n  - note: it is p!{at:03} q\n")).collect();
    let out = redacted(&format!("list:\n{many}"));
    assert!(!out.contains("p!") && out.contains("it is <secret-200>"));
}
