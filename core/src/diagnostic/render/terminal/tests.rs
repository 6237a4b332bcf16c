use super::*;

const UNKNOWN: &str = "unknown message `msg_009`";

fn print(text: &str, diagnostics: &[Diagnostic]) -> String {
    terminal("run.yaml", text, &LineIndex::new(text), diagnostics, TerminalStyle::Plain)
}

/// A diagnostic at the first occurrence of `place`.
fn at(text: &str, place: &str) -> Diagnostic {
    Diagnostic::new("T201", Severity::Error, span_of(text, place), UNKNOWN)
}

fn span_of(text: &str, place: &str) -> Span {
    let start = text.find(place).unwrap();
    Span::new(start, start + place.len())
}

/// Checks the source line and the line beneath it.
#[track_caller]
fn check_lines(text: &str, place: &str, expected: &str) {
    let printed = print(text, &[at(text, place).label("here")]);
    let lines: Vec<&str> = printed.lines().skip(3).take(2).collect();
    assert_eq!(lines.join("\n"), expected);
}

#[test]
fn related_places_are_notes_and_the_gutter_fits_the_greatest_line() {
    let text = "a: 1\nmessages:\n- id: msg_002\n- id: msg_003\n\n\n\n\nfoo:\n  - ref: msg_009 # no\n";
    let diagnostic = at(text, "msg_009")
        .label("no message has this id")
        .related(span_of(text, "msg_002"), "this one is near")
        .related(span_of(text, "- ref: msg_009"), "it is listed here")
        .help("did you mean `msg_002`?");
    assert_eq!(
        print(text, &[diagnostic]),
        "\
error[T201]: unknown message `msg_009`
  --> run.yaml:10:10
   |
10 |   - ref: msg_009 # no
   |          ^^^^^^^ no message has this id
   |
note: this one is near
  --> run.yaml:3:7
   |
3  | - id: msg_002
   |       -------
   |
note: it is listed here
  --> run.yaml:10:3
   |
10 |   - ref: msg_009 # no
   |   --------------
   |
   = help: did you mean `msg_002`?

"
    );
}

#[test]
fn severities_and_several_diagnostics() {
    let text = "a: 1\n";
    let warning = Diagnostic::new("T900", Severity::Warning, Span::new(3, 4), "odd number");
    let info = Diagnostic::new("T901", Severity::Info, Span::new(0, 1), "a key").help("none");
    assert_eq!(
        print(text, &[warning, info]),
        "\
warning[T900]: odd number
 --> run.yaml:1:4
  |
1 | a: 1
  |    ^

info[T901]: a key
 --> run.yaml:1:1
  |
1 | a: 1
  | ^
  |
  = help: none

"
    );
}

#[test]
fn empty_documents_and_ends_of_files() {
    let empty = |span| print("", &[Diagnostic::new("T001", Severity::Error, span, "nothing here")]);
    let expected = "\
error[T001]: nothing here
 --> run.yaml:1:1
  |
1 |
  | ^

";
    assert_eq!(empty(Span::empty(0)), expected);
    assert_eq!(empty(Span::new(5, 9)), expected);

    let after = |text| {
        let printed = print(text, &[Diagnostic::new("T001", Severity::Error, Span::empty(5), "cut off")]);
        printed.lines().skip(1).take(4).collect::<Vec<_>>().join("\n")
    };
    assert_eq!(after("a: [b"), " --> run.yaml:1:6\n  |\n1 | a: [b\n  |      ^");
    assert_eq!(after("a: b\n"), " --> run.yaml:2:1\n  |\n2 |\n  | ^");
}

#[test]
fn carets_stand_under_what_a_terminal_shows() {
    check_lines("漢字: é bad", "bad", "1 | 漢字: é bad\n  |         ^^^ here");
    check_lines("a 漢字 b", "漢字", "1 | a 漢字 b\n  |   ^^^^ here");
    check_lines("cafe\u{301} 😀 bad", "bad", "1 | cafe\u{301} 😀 bad\n  |         ^^^ here");
    check_lines("\ta:\tbad", "bad", "1 |     a:    bad\n  |           ^^^ here");
    check_lines("a \tb", "\t", "1 | a     b\n  |   ^^^^ here");
    check_lines("\u{feff}a: bad", "bad", "1 | a: bad\n  |    ^^^ here");
    check_lines("a: bad  \r\nb: 1", "bad", "1 | a: bad\n  |    ^^^ here");
}

#[test]
fn columns_count_characters_whatever_their_width() {
    let text = "漢字\u{301}\t😀bad";
    let printed = print(text, &[at(text, "bad")]);
    assert_eq!(printed.lines().nth(1), Some(" --> run.yaml:1:6"));
}

#[test]
fn places_over_several_lines_are_marked_on_the_first() {
    check_lines("a:\n  - one\n  - two\n", "one\n  - two", "2 |   - one\n  |     ^^^... here");
    check_lines("a: one\r\nb: two", "one\r\nb", "1 | a: one\n  |    ^^^... here");
    check_lines("a: one\nb: two", "one\n", "1 | a: one\n  |    ^^^ here");
    check_lines("a: one\nb: two", "\n", "1 | a: one\n  |       ^ here");
    check_lines("a: one\nb: two", "\nb", "1 | a: one\n  |       ^... here");
}

#[test]
fn what_a_terminal_would_obey_is_shown_as_symbols() {
    let text = "a: \u{1b}[31mred\u{202e} bad";
    let diagnostic =
        Diagnostic::new("T1", Severity::Error, span_of(text, "bad"), "say `\u{1b}[2J`\nand more")
            .label("\u{7}bell")
            .related(span_of(text, "red"), "\u{9b}1m")
            .help("\u{2028}help");
    let printed =
        terminal("\u{1b}]0;x\u{7}.yaml", text, &LineIndex::new(text), &[diagnostic], TerminalStyle::Plain);
    assert_eq!(
        printed,
        "\
error[T1]: say `␛[2J`␊and more
 --> ␛]0;x␇.yaml:1:14
  |
1 | a: ␛[31mred<U+202E> bad
  |                     ^^^ ␇bell
  |
note: <U+009B>1m
 --> ␛]0;x␇.yaml:1:9
  |
1 | a: ␛[31mred<U+202E> bad
  |         ---
  |
  = help: <U+2028>help

"
    );
}

#[test]
fn long_lines_are_cut_around_the_place() {
    let (x, y) = (|count| "x".repeat(count), |count| "y".repeat(count));
    let line = |shown: &str, before: usize, marks: &str| {
        assert!(shown.chars().count() <= 161);
        format!("1 | {shown}\n  | {}{marks} here", " ".repeat(before))
    };
    // The end is cut: eighty columns before the place are kept.
    let shown = format!("{}bad{}…", x(80), y(77));
    check_lines(&format!("{}bad{}", x(80), y(200)), "bad", &line(&shown, 80, "^^^"));
    // One more, and only forty before it are kept.
    let shown = format!("…{}bad{}…", x(40), y(116));
    check_lines(&format!("{}bad{}", x(81), y(200)), "bad", &line(&shown, 41, "^^^"));
    let shown = format!("…{}bad", x(40));
    check_lines(&format!("{}bad", x(200)), "bad", &line(&shown, 41, "^^^"));
    // The place itself is too long.
    let shown = format!("a: {}…", y(157));
    check_lines(&format!("a: {} end", y(200)), &y(200), &line(&shown, 3, &"^".repeat(157)));
    // A line that just fits is whole.
    let shown = format!("{}bad", x(157));
    check_lines(&shown, "bad", &line(&shown, 157, "^^^"));
}

#[test]
fn marks_without_width_do_not_fill_the_screen() {
    let text = format!("a{}b", "\u{301}".repeat(100_000));
    let printed = print(&text, &[at(&text, "b")]);
    assert!(printed.chars().count() < 1_000, "{} characters", printed.chars().count());
    assert!(printed.contains("b\n"));
}

#[test]
fn colors_are_those_of_the_parts() {
    let text = "a: bad";
    let diagnostic = at(text, "bad").label("here").related(Span::new(0, 1), "there").help("mend it");
    let print = |style| terminal("f", text, &LineIndex::new(text), std::slice::from_ref(&diagnostic), style);
    let colored = print(TerminalStyle::Ansi);
    assert_eq!(
        colored.replace('\u{1b}', "E"),
        "\
E[1;91merror[T201]E[0mE[1m: unknown message `msg_009`E[0m
 E[1;94m--> E[0mf:1:4
  E[1;94m|E[0m
E[1;94m1 |E[0m a: bad
  E[1;94m| E[0m   E[1;91m^^^ hereE[0m
  E[1;94m|E[0m
E[1;92mnoteE[0mE[1m: thereE[0m
 E[1;94m--> E[0mf:1:1
  E[1;94m|E[0m
E[1;94m1 |E[0m a: bad
  E[1;94m| E[0mE[1;94m-E[0m
  E[1;94m|E[0m
  E[1;94m= E[0mE[1;96mhelpE[0m: mend it

"
    );
    let mut plain = colored;
    for code in ["1;91", "1;92", "1;94", "1;96", "1", "0"] {
        plain = plain.replace(&format!("\u{1b}[{code}m"), "");
    }
    assert_eq!(plain, print(TerminalStyle::Plain));
}

#[test]
fn no_span_of_any_text_panics_or_reaches_the_terminal_raw() {
    let wide = "漢".repeat(90);
    let texts = [
        "",
        "\n",
        "\r\n\r\n",
        "\u{feff}",
        "\u{feff}a: é\r\n\tb: 漢\u{301}\u{1b}[0m\r😀\0",
        "a\u{85}b\u{2028}c\u{202e}\u{e0041}\u{10ffff}\u{200d}",
        wide.as_str(),
    ];
    for text in texts {
        let lines = LineIndex::new(text);
        // The step also leads into the middle of characters.
        let offsets = || (0..text.len() + 3).step_by(1 + text.len() / 40);
        for (start, end) in offsets().flat_map(|start| offsets().map(move |end| (start, end))) {
            let span = Span { start: start as u32, end: end as u32 };
            let diagnostic = Diagnostic::new("T1", Severity::Error, span, text)
                .label(text)
                .related(Span { start: u32::MAX, end: start as u32 }, text)
                .help(text);
            for lines in [&lines, &LineIndex::default()] {
                let printed =
                    terminal(text, text, lines, std::slice::from_ref(&diagnostic), TerminalStyle::Plain);
                assert!(printed.starts_with("error[T1]: ") && printed.ends_with("\n\n"));
                let bad = printed.chars().find(|&c| c != '\n' && !crate::text::is_visible_char(c));
                assert_eq!(bad, None, "{span:?} of {text:?}");
                let marked = printed.lines().filter(|line| line.trim_start().starts_with("| ")).count();
                assert_eq!(marked, 2, "{printed}");
            }
        }
    }
}
