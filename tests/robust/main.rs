//! Hostile and broken input: a located diagnostic or a named limit, never a panic.

use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use transcript_core::diagnostic::Severity;
use transcript_core::diagnostic::render::{TerminalStyle, problems, terminal};
use transcript_core::document::Document;
use transcript_core::format;
use transcript_core::parse::{Limits, parse};
use transcript_core::replay::Session;
use transcript_tests::case_step;

const SEEDS: [&str; 11] = [
    include_str!("../suite/seeds/weather_query_with_tools.txt"),
    include_str!("../suite/seeds/weather_query.txt"),
    include_str!("../suite/seeds/nested_agent_call.txt"),
    include_str!("../suite/expand/grammar.txt"),
    include_str!("../suite/expand/bad_shorthand.txt"),
    include_str!("../suite/expand/maps.txt"),
    include_str!("../suite/expand/map_mistakes.txt"),
    include_str!("../suite/parse/tab_in_json.txt"),
    include_str!("../suite/handlers/all_types.txt"),
    include_str!("../suite/handlers/calls_and_texts.txt"),
    include_str!("../suite/levels/lines.txt"),
];

fn input(fixture: &str) -> &str {
    fixture.split_once('\n').unwrap().1.split("==== diagnostics").next().unwrap()
}

/// Opens the text and uses every part of the result; returns the codes found.
fn exercise(text: &str) -> Vec<&'static str> {
    let document = Document::open(text, &Limits::default());
    let printed =
        terminal("x", document.text(), document.lines(), document.diagnostics(), TerminalStyle::Ansi);
    assert_eq!(printed.is_empty(), document.diagnostics().is_empty());
    for problem in problems("x", document.text(), document.lines(), document.diagnostics()) {
        assert!(
            problem.place.line >= 1
                && problem.place.column >= 1
                && problem.place.end_offset as usize <= text.len()
        );
    }
    for row in document.steps() {
        let detail = document.step(&row.path).expect("every row has its detail");
        assert_eq!(detail.row.path, row.path);
    }
    // What is written reads back as the same data, and needs no expansion.
    if let (true, Some(yaml), Some(value)) = (document.is_ok(), document.expanded_yaml(), document.expanded())
    {
        let again = parse(&yaml, &Limits { bytes: usize::MAX, ..Limits::default() });
        assert_eq!(again.root.map(|root| root.to_value()), Some(value), "{yaml}");
        let full = Document::open(&yaml, &Limits::default());
        assert!(full.is_ok(), "{:?}\n{yaml}", full.diagnostics());
    }
    // What is formatted is the same data, and is formatted for good.
    if let Ok(formatted) = format::draft(text, &Limits::default()) {
        let data = |text: &str| parse(text, &Limits::default()).root.map(|root| root.to_value());
        assert_eq!(data(&formatted), data(text), "{text}\n----\n{formatted}");
        assert_eq!(format::draft(&formatted, &Limits::default()).as_ref(), Ok(&formatted), "{text}");
    }
    if let Some(timeline) = document.timeline() {
        drop(Session::new(timeline.clone()));
    }
    document.diagnostics().iter().map(|found| found.code).collect()
}

#[test]
fn every_cut_of_a_seed_is_survived() {
    for seed in SEEDS {
        let text = input(seed);
        for (end, _) in text.char_indices().step_by(case_step(8)) {
            exercise(&text[..end]);
        }
    }
}

/// Replaces, doubles or drops a piece at a random place.
fn mutated() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("\t"),
        Just("\n"),
        Just("\""),
        Just("'"),
        Just("{"),
        Just("}"),
        Just("["),
        Just("]"),
        Just(": "),
        Just("- "),
        Just("&a "),
        Just("*a"),
        Just("!!str "),
        Just("|"),
        Just(">-\n"),
        Just("#"),
        Just("\u{0}"),
        Just("\u{85}"),
        Just("é😀"),
        Just("---\n"),
        Just("<<: "),
        Just("? "),
        Just(","),
        Just("\r"),
        Just("%YAML 1.1\n"),
        Just("null"),
        Just("-1e9"),
        Just("assistant:call f(a=[1"),
        Just("tool:"),
        Just("\\"),
    ];
    let place = any::<prop::sample::Index>();
    (0..SEEDS.len(), prop::collection::vec((place, 0_usize..6, piece), 1..6)).prop_map(|(seed, edits)| {
        let mut text = input(SEEDS[seed]).to_owned();
        for (place, length, piece) in edits {
            let mut start = place.index(text.len() + 1);
            while !text.is_char_boundary(start) {
                start -= 1;
            }
            let mut end = (start + length).min(text.len());
            while !text.is_char_boundary(end) {
                end += 1;
            }
            text.replace_range(start..end, piece);
        }
        text
    })
}

#[test]
fn random_damage_is_survived() {
    let config =
        Config { cases: 2_000 / case_step(8) as u32, failure_persistence: None, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    runner
        .run(&mutated(), |text| {
            exercise(&text);
            Ok(())
        })
        .unwrap();
}

#[test]
fn limits_name_themselves() {
    let deep_block: String = (0..10_000).map(|depth| format!("{}- \n", " ".repeat(depth % 900))).collect();
    let text_bomb =
        format!("messages: []\ncontext: {{a: &a {}, b: [{}]}}", "x".repeat(1 << 20), "*a, ".repeat(20_000));
    for (what, text, code) in [
        ("brackets", "[".repeat(10_000), "T005"),
        ("braces", "{\"a\":".repeat(10_000), "T005"),
        ("flow in YAML", format!("a: {}", "{a: ".repeat(10_000)), "T005"),
        ("nested lists", "- ".repeat(10_000), "T005"),
        ("nested literals", format!("messages: [\"assistant:call f(a={})\"]", "[".repeat(10_000)), "T106"),
        ("texts behind aliases", text_bomb, "T006"),
        ("NUL", "a\0b".to_owned(), "T003"),
    ] {
        let codes = exercise(&text);
        assert!(codes.contains(&code), "{what}: {codes:?}");
    }
    assert!(!exercise(&deep_block).is_empty());
}

#[test]
fn a_file_beyond_the_size_limit_is_refused_before_it_is_read() {
    let bytes = vec![b'a'; 50 << 20];
    let document = Document::open_bytes(&bytes, &Limits::default());
    assert_eq!(document.diagnostics()[0].code, "T004");
    assert!(document.diagnostics()[0].message.contains("52428800"));
}

#[test]
fn files_that_are_not_text_say_so() {
    for (bytes, part) in [
        (&b"\x89PNG\r\n\x1a\n\0\0"[..], "byte 0 is not UTF-8"),
        (b"messages:\n  - \"user: \xff\"", "byte 21 is not UTF-8"),
        (b"\xff\xfem\0e\0", "UTF-16"),
    ] {
        let document = Document::open_bytes(bytes, &Limits::default());
        let found = &document.diagnostics()[0];
        assert_eq!((found.code, found.severity), ("T003", Severity::Error));
        assert!(found.message.contains(part), "{}", found.message);
    }
}

#[test]
fn the_first_byte_that_is_not_text_is_shown_in_its_line() {
    let bytes = b"messages:\r\n  - \"user: caf\xe9 au lait\"\r\n  - \"user: \xff\"\r\n";
    let document = Document::open_bytes(bytes, &Limits::default());
    let printed =
        terminal("x", document.text(), document.lines(), document.diagnostics(), TerminalStyle::Plain);
    let lines: Vec<&str> = printed.lines().collect();
    assert_eq!(lines[1], " --> x:2:15");
    assert_eq!(lines[3], "2 |   - \"user: caf\u{fffd} au lait\"");
    assert_eq!(lines[4], "  |               ^");
    assert!(!document.is_readable());
}

/// The stack of a WebAssembly module is 1 MiB, and half may be used here; frames without
/// optimization are about four times as large.
#[test]
fn the_deepest_documents_fit_in_a_small_stack() {
    let limits = Limits { depth: 400, ..Limits::default() };
    let nested =
        |open: &str, close: &str, levels| format!("{}1{}", open.repeat(levels), close.repeat(levels));
    let messages = r#""messages": ["user: Hi", "assistant: Hello!"]"#;
    let mut texts = Vec::new();
    for levels in [397, 398, 510, 20_000] {
        texts.push(format!("{{{messages}, \"context\": {{\"a\": {}}}}}", nested("[", "]", levels)));
        texts.push(format!("{{{messages}, \"context\": {}}}", nested("{\"a\": ", "}", levels)));
        texts.push(format!("{{{messages}, \"context\": {{\"a\": {}", "[".repeat(levels)));
        texts.push(format!("messages: []\ncontext: {{a: {}}}", nested("[", "]", levels)));
        texts.push(format!("messages: []\ncontext: {}", nested("{a: ", "}", levels)));
        texts.push(format!("messages: []\ncontext:\n  a:\n    {}1", "- ".repeat(levels)));
    }
    let half = if cfg!(debug_assertions) { 2 << 20 } else { 512 << 10 };
    let small = std::thread::Builder::new().stack_size(half);
    let depths = small.spawn(move || {
        let mut read = 0;
        for text in texts {
            let document = Document::open(&text, &limits);
            let written = document.expanded_yaml().zip(document.expanded_json());
            assert_eq!(written.is_some(), document.is_readable());
            if document.is_ok() {
                read += 1;
            } else {
                let codes: Vec<_> = document.diagnostics().iter().map(|found| found.code).collect();
                assert!(codes.contains(&"T005") || codes.contains(&"T001"), "{codes:?}");
            }
        }
        read
    });
    assert!(depths.unwrap().join().unwrap() > 0);
}

/// Handlers in handlers and conditions in conditions, as deep as texts may go.
#[test]
fn the_deepest_handlers_fit_in_a_small_stack() {
    let limits = Limits { depth: 400, ..Limits::default() };
    let nested = |open: &str, inner: &str, close: &str, levels| {
        format!("handlers: {{a: {}{inner}{}}}", open.repeat(levels), close.repeat(levels))
    };
    let queue = "{type: queue, responses: [Hi]}";
    let texts = [
        nested("{type: fail, times: 1, then: ", queue, "}", 390),
        nested("{type: recording, handler: ", queue, "}", 390),
        nested("{type: composite, strategy: in_order, handlers: [", queue, "]}", 195),
        format!(
            "handlers: {{a: {{type: conditional, default: Hi, rules: [{{respond: Hi, when: {}{{call_count: 1}}{}}}]}}}}",
            "{not: ".repeat(390),
            "}".repeat(390)
        ),
        format!(
            "handlers: {{a: {{type: conditional, default: Hi, rules: [{{respond: Hi, when: {}{{call_count: 1}}{}}}]}}}}",
            "{all: [".repeat(195),
            "]}".repeat(195)
        ),
    ];
    let half = if cfg!(debug_assertions) { 2 << 20 } else { 512 << 10 };
    let small = std::thread::Builder::new().stack_size(half);
    let found = small.spawn(move || {
        let documents = texts.iter().map(|text| Document::open(text, &limits));
        documents.map(|document| format!("{:?}", document.diagnostics())).collect::<Vec<_>>()
    });
    assert_eq!(found.unwrap().join().unwrap(), ["[]"; 5]);
}

/// Many names and many settings, all of them wrong: more than could be compared each with each.
#[test]
fn many_mistakes_in_handlers_and_settings_are_reported_quickly() {
    let many = 10_000;
    let mut states = String::from("handlers:\n  a:\n    type: state_machine\n    initial: s0\n    states:\n");
    let mut rules = String::from("handlers:\n  a:\n    type: conditional\n    default: Hi\n    rules:\n");
    let mut settings = String::from("messages:\n");
    for n in 0..many {
        states += &format!("      s{n}: {{respond: Hi, next: t{n}}}\n");
        rules += &format!("      - {{when: {{call_count: 1, iteration: {}}}, respond: Hi}}\n", n % 2);
        settings += "  # transcript: off=T103,T999\n  - \"user: Hi\" # transcript: off=T204\n";
    }
    let count = |text: &str, code: &str| {
        let document = Document::open(text, &Limits::default());
        document.diagnostics().iter().filter(|found| found.code == code).count()
    };
    assert_eq!(count(&states, "T604"), many);
    assert_eq!(count(&states, "T605"), many - 1);
    assert_eq!(count(&rules, "T603"), many - 2);
    assert_eq!(count(&settings, "T110"), 2 * many);
    assert_eq!(count(&settings, "T109"), many);
}

/// One slip each, of the kinds that authors make most.
const SLIPS: [fn(&str) -> Option<String>; 9] = [
    |line| line.split_once(':').map(|(key, _)| format!("{key}: x: y")),
    |line| Some(format!("{line} x: y")),
    |line| line.contains(':').then(|| line.replacen(':', "", 1)),
    |line| Some(format!("\t{line}")),
    |line| Some(format!("\t{}", line.trim_start())),
    |line| Some(format!(" {line}")),
    |line| line.strip_prefix(' ').map(str::to_owned),
    |line| line.rfind('"').map(|at| format!("{}{}", &line[..at], &line[at + 1..])),
    |line| line.split_once(": ").map(|(key, value)| format!("{key}: @{value}")),
];

#[test]
fn one_broken_line_is_reported_once_or_twice() {
    let text = input(SEEDS[0]);
    let lines: Vec<&str> = text.lines().collect();
    let mut broken = 0;
    for slip in SLIPS {
        for (number, line) in lines.iter().enumerate() {
            let Some(slipped) =
                slip(line).filter(|_| !line.trim_start().starts_with('#') && !line.is_empty())
            else {
                continue;
            };
            let mut changed = lines.clone();
            changed[number] = &slipped;
            let document = Document::open(&(changed.join("\n") + "\n"), &Limits::default());
            let grave = document.diagnostics().iter().filter(|found| found.severity != Severity::Info);
            let grave: Vec<&str> = grave.map(|found| found.message.as_str()).collect();
            assert!(grave.len() <= 2, "line {} as `{slipped}`: {grave:#?}", number + 1);
            broken += grave.len();
        }
    }
    assert!(broken > 1_000, "{broken}");
}

#[test]
fn the_fixes_of_slips_mend_them() {
    for broken in [
        "messages:\n  - 'user: What's the weather?'\n",
        "messages:\n  - 'user: it''s what''s up, isn't it?' # so\n",
        "messages:\n  - \"user: He said \"hi\" and \\\"ho\\\"\"\n",
        "messages:\n  - \"user: Hi\",\n",
        "messages:\n  - user: @you are meant # so\n",
        "messages:\n  - user: `code` \"quoted\"\n",
        "messages:\n  - user: %d percent\n",
        "messages:\n  - user: *bold* text\n",
        "messages\n  - \"user: Hi\"\n",
        "name: x\nmessages\n- \"user: Hi\"\n",
        "messages:\n  - \"user: Hi\"\ncontext\n  a: 1\n",
        "messages:\n  - \"user: Hi\"\ncontext:\n  city \"Rome\"\n  unit: celsius\n",
        "messages:\n  - user: Hi: there # so\n",
        "messages:\n  - user:hi with 'a': 'b' in it\n",
        "messages:\n  - user: {name} is in\n",
        "messages:\n  - user: [draft] of it\n",
        "messages:\n  - user: | pipe\n",
        "messages:\n  - user: & and\n",
        "messages:\n  - user: - list\n",
        "messages:\n  - user: ? question\n",
        "messages:\n  - user: Hi\n  -user: there\n",
        "```yaml\nmessages:\n  - user: Hi\n",
        "messages:\n  - user: Hi\n```\n",
        "messages:\n  - {user: Hi, hidden: yes}\n",
    ] {
        let document = Document::open(broken, &Limits::default());
        let [found] = document.diagnostics() else { panic!("{broken}: {:?}", document.diagnostics()) };
        let [fix] = &found.fixes[..] else { panic!("{broken}: {found:?}") };
        let mut mended = broken.to_owned();
        for edit in fix.edits.iter().rev() {
            mended.replace_range(edit.span.start as usize..edit.span.end as usize, &edit.text);
        }
        let document = Document::open(&mended, &Limits::default());
        assert!(document.is_ok(), "{mended}: {:?}", document.diagnostics());
    }
}

#[test]
fn a_stray_line_is_not_made_a_text() {
    for stray in ["%# a comment\nmessages:\n  - user: Hi\n", "messages:\n  - user: Hi\n@note\n"] {
        let document = Document::open(stray, &Limits::default());
        let [found] = document.diagnostics() else { panic!("{stray}: {:?}", document.diagnostics()) };
        assert_eq!((found.code, found.fixes.len()), ("T001", 0), "{stray}: {found:?}");
    }
}

#[test]
fn each_of_many_faults_is_reported_or_that_there_are_more() {
    let reported = |count: usize| {
        let text = format!("messages:\n{}", "  - user: hi: a\n".repeat(count));
        let document = Document::open(&text, &Limits::default());
        let found: Vec<_> = document.diagnostics().to_vec();
        let errors = found.iter().filter(|found| found.severity == Severity::Error).count();
        let ends = found.iter().filter(|found| found.message.contains("are not checked")).count();
        (errors, ends)
    };
    assert_eq!(reported(6), (6, 0));
    assert_eq!(reported(40), (40, 0));
    let (errors, ends) = reported(4_000);
    assert!((20..4_000).contains(&errors) && ends == 1, "{errors} errors, {ends} ends");
}
