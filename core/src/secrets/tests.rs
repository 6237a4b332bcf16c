use super::*;

fn part<'t>(text: &'t str, secret: &Secret) -> &'t str {
    text.get(secret.start..secret.end).unwrap()
}

fn found(text: &str) -> Vec<(&'static str, &str)> {
    let found = Search::default().find(text);
    found.into_iter().map(|secret| (secret.kind.name(), part(text, &secret))).collect()
}

fn one(text: &str) -> (&'static str, &str) {
    let all = found(text);
    assert_eq!(all.len(), 1, "{text}: {all:?}");
    all[0]
}

const BODY: &str = "q7Zr2mKd91xTbV4nLw8Hs3Jc6PyE0gUf5iRaXoQk";

#[test]
fn keys_are_known_by_their_beginnings() {
    for (prefix, length, kind) in [
        ("sk-", 40, "openai-key"),
        ("sk-proj-", 40, "openai-key"),
        ("sk-ant-api03-", 40, "anthropic-key"),
        ("ghp_", 36, "github-token"),
        ("gho_", 36, "github-token"),
        ("ghs_", 36, "github-token"),
        ("github_pat_", 40, "github-token"),
        ("AIza", 35, "google-key"),
        ("xoxb-", 24, "slack-token"),
        ("sk_live_", 24, "stripe-key"),
        ("rk_live_", 24, "stripe-key"),
        ("npm_", 36, "npm-token"),
        ("hf_", 34, "hugging-face-token"),
    ] {
        let key = format!("{prefix}{}", BODY.get(..length).unwrap());
        for around in
            [format!("use {key}, please"), format!("'{key}'"), format!("k={key}"), format!("a\\n{key}.")]
        {
            assert_eq!(one(&around), (kind, key.as_str()), "{around}");
        }
    }
    assert_eq!(one("id AKIAQ3XW7PLZ2MNB4VTC"), ("aws-key", "AKIAQ3XW7PLZ2MNB4VTC"));
    assert!(found("AKIAQ3XW7PLZ2MNB4VTCD and AKIAQ3XW7").is_empty());
}

#[test]
fn tokens_of_headers_and_web_tokens() {
    let jwt = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI0MjcxIn0.dBjftJeZ4CVPmB92K27uhbUJU1p1r_wW1g";
    assert_eq!(one(&format!("Authorization: Bearer {jwt}")), ("jwt", jwt));
    assert_eq!(one(&format!("{{\"token\": \"{jwt}\"}}")), ("jwt", jwt));
    assert_eq!(one("Authorization: Bearer q7Zr2mKd91xTbV4nLw8H"), ("authorization", "q7Zr2mKd91xTbV4nLw8H"));
    assert_eq!(
        one("authorization: Basic YWxhZGRpbjpvcGVuc2VzYW1l"),
        ("authorization", "YWxhZGRpbjpvcGVuc2VzYW1l")
    );
    assert!(found("Basic information is a bearer instrument of importance").is_empty());
}

#[test]
fn private_keys_are_found_to_their_last_line() {
    let key = format!("-----BEGIN RSA PRIVATE KEY-----\n{BODY}\n{BODY}\n-----END RSA PRIVATE KEY-----");
    assert_eq!(one(&format!("here: {key}\nbye")), ("private-key", key.as_str()));
    assert!(found(&key.replace("PRIVATE", "PUBLIC")).is_empty());
    assert!(found("-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----").is_empty());
}

#[test]
fn values_of_names_for_secrets() {
    assert_eq!(one("DB_PASSWORD=hunter2hunter"), ("password", "hunter2hunter"));
    assert_eq!(one(r#"{"api_key": "q7Zr2mKd91"}"#), ("password", "q7Zr2mKd91"));
    assert_eq!(one(r#"{\"api_key\": \"q7Zr2mKd91\"}"#), ("password", "q7Zr2mKd91"));
    assert_eq!(one("login(user='ann', password='q7Zr2mKd91')"), ("password", "q7Zr2mKd91"));
    assert_eq!(one("?access_token=q7Zr2mKd91&x=1"), ("password", "q7Zr2mKd91"));
    for harmless in [
        "password: required",
        "the password: please choose one",
        "max_tokens: 100000000",
        "api_key=YOUR_API_KEY_12",
        "api_key = os.environ['KEY1']",
        "token: 12345678",
        "password=<secret-1>",
        "secret: ${SECRET_1_OF_2}",
        "api_key={{ key_1_of_2 }}",
    ] {
        assert_eq!(found(harmless), [], "{harmless}");
    }
}

#[test]
fn a_thorough_search_believes_the_name() {
    let search = Search { thorough: true, ..Search::default() };
    let text = "login(password='abc', token='next')";
    let all = search.find(text);
    assert_eq!(all.iter().map(|secret| part(text, secret)).collect::<Vec<_>>(), ["abc"]);
}

#[test]
fn addresses() {
    assert_eq!(one("write to ann.lee+x@mail.acme.io."), ("email", "ann.lee+x@mail.acme.io"));
    assert_eq!(one("postgres://app:q7Zr2mKd@db.acme.io/x"), ("url-password", "q7Zr2mKd"));
    for harmless in [
        "user@example.com",
        "a@b.test",
        "git@github.com:a/b",
        "image@2x.png",
        "left-pad@1.3.0",
        "@decorator",
        "http://a.io/x:y@z",
        "x://user:password@host",
        "your.name@acme.io",
    ] {
        assert_eq!(found(harmless), [], "{harmless}");
    }
}

#[test]
fn addresses_are_found_whole() {
    assert_eq!(one("mail müller@firma.de"), ("email", "müller@firma.de"));
    assert_eq!(one("an Jürgen.müller@bücher.de."), ("email", "Jürgen.müller@bücher.de"));
    assert_eq!(one("postgres://u:p@ss/word@h.io/db"), ("url-password", "p@ss/word"));
    assert_eq!(one("postgres://u:Pass/w0rd1@h.io/db"), ("url-password", "Pass/w0rd1"));
    assert_eq!(one("a://u:q7Zr2@h.io/x?to=a@b"), ("url-password", "q7Zr2"));
    assert_eq!(found("https://a.io:8080/@ann and https://a.io/@ann:x@y"), []);
}

fn thorough(text: &str) -> Vec<&str> {
    let search = Search { thorough: true, ..Search::default() };
    search.find(text).iter().map(|secret| part(text, secret)).collect()
}

#[test]
fn the_whole_of_a_text_in_quotes_is_the_value() {
    assert_eq!(thorough(r#"{"password": "ab\"cdefgh", "a": "b"}"#), [r#"ab\"cdefgh"#]);
    assert_eq!(thorough(r#"{"password": "correct\nhorse"}"#), [r"correct\nhorse"]);
    assert_eq!(thorough(r#"{\"password\": \"ab\\\"cd\\nef\", \"a\": 1}"#), [r#"ab\\\"cd\\nef"#]);
}

#[test]
fn only_whole_marks_are_no_passwords() {
    for password in ["$uper5ecret!", "%Pa55word", "*Star9word", "<3you", "{{x"] {
        assert_eq!(thorough(&format!("login(password='{password}')")), [password]);
        let search = Search { thorough: true, ..Search::default() };
        assert_eq!(search.find_in_value("password", password).len(), 1, "{password}");
    }
    for mark in ["${X}", "$DB_PASS", "<secret-1>", "***", "%X%", "{{x}}", "%s"] {
        assert_eq!(thorough(&format!("login(password='{mark}')")), [""; 0], "{mark}");
        assert_eq!(thorough(&format!("password={mark}")), [""; 0], "{mark}");
    }
}

#[test]
fn values_without_quotes() {
    for (text, value) in [
        ("tool:f: {password: correcthorse, user: x}", "correcthorse"),
        ("tool:f: {user: x, password: correct horse}", "correct horse"),
        ("tool:f: {password: 48151623}", "48151623"),
        ("assistant:call login(password=48151623)", "48151623"),
        ("user: export DB_PASSWORD=correcthorsebattery", "correcthorsebattery"),
        ("user: password=hunter3", "hunter3"),
        ("user: my password: hunter2", "hunter2"),
        ("user: my password: hunter2.", "hunter2"),
        ("user: my password: correcthorse, thanks", "correcthorse"),
        ("user: Authorization: token Zq81LmTr7ppQw", "Zq81LmTr7ppQw"),
        ("user: Authorization: Bearer Zq81LmTr", "Zq81LmTr"),
    ] {
        assert_eq!(thorough(text), [value], "{text}");
    }
    for harmless in [
        "the password: is wrong",
        "the password: something easy",
        "password: required",
        "password: please choose one",
        "password: remember it",
        "if password == wrong",
        "password=os.environ['X']",
        "password=None",
    ] {
        assert_eq!(thorough(harmless), [""; 0], "{harmless}");
    }
    assert_eq!(found("password: hunter2, password=correcthorse"), []);
}

#[test]
fn figures_only_when_requested() {
    let text = "call +49 170 1234567 or 81.2.69.142, not 10.0.0.1 nor 1.2.3";
    assert!(found(text).is_empty());
    let search = Search { kinds: SecretKind::ALL.to_vec(), ..Search::default() };
    let all: Vec<_> = search.find(text).iter().map(|secret| part(text, secret)).collect();
    assert_eq!(all, ["+49 170 1234567", "81.2.69.142"]);
}

#[test]
fn placeholders_are_no_secrets() {
    for harmless in [
        "sk-...",
        "sk-xxxxxxxxxxxxxxxxxxxxxxxx",
        "sk-your-api-key-goes-here-1",
        "AKIAIOSFODNN7EXAMPLE",
        "sk-1234567890abcdefghijklmnop",
        "ghp_000000000000000000000000000000000000",
        "scikit: sk-learn, task-force, disk-",
    ] {
        assert_eq!(found(harmless), [], "{harmless}");
    }
}
