//! Markdown and HTML: what a person reads, and that no text of a run becomes markup.

use super::{NESTED, WEATHER, export, lost};

const NASTY: &str = r#"messages: ["user: </script><img src=x onerror=alert(1)> --> ]]> \u2028 \u202e", "assistant: \"```\\n# a\\n````\\nb\"", "user: # title"]"#;

#[test]
fn markdown_shows_the_run() {
    let text = export(WEATHER, "markdown").text.unwrap();
    assert!(text.starts_with("# weather\\_query\n\n- name: weather\\_query\n- model: gpt-4\n"), "{text}");
    for part in [
        "\n## user\n\n*msg\\_002*\n\n> What's the weather in NYC and Oslo?\n",
        "\nCalls weather (call\\_001):\n\n```json\n{\n  \"location\": \"NYC\"\n}\n```\n",
        "*msg\\_005 · failed*\n\n> the station is down\n",
        "sent 2 of 2 stored messages",
    ] {
        assert!(text.contains(part), "{part} is not in\n{text}");
    }
}

#[test]
fn a_page_has_no_markup_but_its_own() {
    let text = export(NASTY, "html").text.unwrap();
    // Its one script, at the end, has a name in its policy.
    let (before, script) = text.split_once("<script>").unwrap();
    assert!(script.ends_with("</script>\n</body>\n</html>\n") && !script.contains("onerror"), "{text}");
    assert!(before.contains("script-src 'sha256-") && !before.contains("<img"), "{text}");
    assert!(text.contains("&lt;img src=x onerror=alert(1)&gt;"), "{text}");
    assert!(
        text.contains("default-src 'none'") && !text.contains("http://") && !text.contains("https://"),
        "{text}"
    );
    assert!(text.contains("⟨U+202E⟩") && !text.contains('\u{202e}'), "{text}");
    for element in ["article", "section", "details", "pre", "div", "dl", "main"] {
        let count = |mark: &str| text.matches(&format!("{mark}{element}")).count();
        assert_eq!(count("<"), count("</"), "{element}");
    }
}

#[test]
fn markdown_lets_no_text_out_of_its_place() {
    let text = export(NASTY, "markdown").text.unwrap();
    assert!(!text.contains("<img") || text.contains("\\<img"), "{text}");
    assert!(text.contains("> \\# title\n"), "{text}");
    assert!(!text.contains('\u{202e}') && !text.contains('\u{2028}'), "{text}");
}

#[test]
fn a_run_inside_stands_in_its_message_and_hidden_messages_are_marked() {
    let page = export(NESTED, "html").text.unwrap();
    let inner = page.find("aria-label=\"Run of researcher\"").unwrap();
    assert!(page.find("It is.").unwrap() > inner);
    let hidden = "messages: ['user: a', 'assistant: b', {hide: msg_001}]";
    let view = export(hidden, "html");
    assert!(view.text.unwrap().contains("<article class=\"hidden\" tabindex=\"-1\">\n<h2>user</h2>"));
    assert_eq!(lost(&export(hidden, "markdown")), Vec::<String>::new());
}
