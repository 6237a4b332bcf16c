use serde_json::Value;

use super::{Budget, Expression, Pattern, QueryError};
use crate::text::json;

fn fails(text: &str) -> QueryError {
    Expression::compile(text).unwrap_err()
}

fn over(text: &str, data: &Value) -> Result<Value, QueryError> {
    Expression::compile(text).unwrap().evaluate(data, &mut Budget::default())
}

#[test]
fn a_fault_has_its_place() {
    let at = |text: &str| {
        let error = fails(text);
        (text.get(error.at).unwrap_or("").to_owned(), error.message)
    };
    for (text, place, message) in [
        ("", "", "the expression is empty"),
        ("a ==", "==", "expected an expression after `==`"),
        ("a == == b", "==", "expected an expression after `==`"),
        ("== a", "==", "expected an expression before `==`"),
        ("a = b", "=", "a single `=` compares nothing"),
        ("a is b", "is", "expected an operator before `is`"),
        ("a.b c", "c", "expected an operator before `c`"),
        ("(a", "(", "`(` is not closed"),
        ("a)", ")", "unmatched `)`"),
        ("(a]", "]", "unmatched `]`"),
        ("a[?]", "[?]", "expected an expression between `[?` and `]`"),
        ("a == 3", "3", "the number `3` is not in backticks"),
        ("a == 'b", "'", "the quote is not closed"),
        ("a # b", "#", "`#` has no place in an expression"),
        ("a, b", ",", "unexpected `,`"),
        ("a.", ".", "expected an expression after `.`"),
        ("a[0:2:0]", "0:2:0", "the step of a slice is 0"),
        ("length()", "length()", "`length`: expected 1 argument, found 0"),
        ("sort_by(a, b)", "b", "expected an expression with `&` in `sort_by`"),
        ("length(&a)", "&", "unexpected `&` in `length`"),
        ("&a", "&", "`&` is only allowed before an argument of a function"),
        ("`nope`", "`nope`", "`nope` in backticks is not JSON"),
        ("a['b']", "'b'", "expected an index, a slice or `*` between `[` and `]`"),
        ("{a}", "a", "expected `:` after `a`"),
        (
            "a[99999999999999999999]",
            "99999999999999999999",
            "the number `99999999999999999999` is too large for an index",
        ),
    ] {
        assert_eq!(at(text), (place.to_owned(), message.to_owned()), "{text}");
    }
}

#[test]
fn habits_of_other_languages_are_helped() {
    for (text, help) in [
        ("a and b", "write `&&`"),
        ("not a", "write `!` for not"),
        ("a contains 'b'", "write `contains(list, value)`"),
        ("a + b", "arithmetic is not supported; use `sum([a, b])` to add"),
        ("$.a", "start with a name, or write `@` for the whole data"),
        ("lenght(a)", "did you mean `length`?"),
        ("`text`", "write a string in single quotes, without backticks"),
    ] {
        assert_eq!(fails(text).help, help, "{text}");
    }
}

#[test]
fn a_failure_in_evaluation_has_its_place() {
    let data = json!({"a": 3});
    let error = over("b || sort(a)", &data).unwrap_err();
    assert_eq!((error.at, error.message.as_str()), (10..11, "`sort`: expected an array, found a number"));
    let error = over("contains(last, 'x')", &data).unwrap_err();
    assert!(error.help.contains("not_null"), "{error:?}");
}

#[test]
fn hostile_depth_is_an_error() {
    for (open, close) in [("(", ")"), ("[", "]"), ("!", ""), ("a[?", "]"), ("length(", ")"), ("{a:", "}")] {
        for depth in [200, 2_000] {
            let text = open.repeat(depth) + "a" + &close.repeat(depth);
            assert!(fails(&text).message.contains("nested more than 100"), "{open}");
            assert!(Expression::compile(&open.repeat(depth)).is_err());
        }
    }
    for link in [".a", "|a", "||a", "&&a", "==a", "[0]", "[]", "[*]", "[?a]", ".*"] {
        assert!(fails(&("a".to_owned() + &link.repeat(3_000))).message.contains("nested more"), "{link}");
    }
    assert!(fails(&"a".repeat(20_000)).message.contains("longer than"));
}

#[test]
fn what_explodes_uses_its_budget_up() {
    let data = json!([1, 2, 3]);
    let message = |text: &str| over(text, &data).unwrap_err().message;
    assert_eq!(
        message(&format!("[@,@][] {}", "| [@,@][] ".repeat(60))),
        "the expression takes too many steps"
    );
    assert_eq!(message(&format!("[@,@] {}", "| [@,@] ".repeat(60))), "the expression takes too many steps");
    // Each of many items is one long shared list.
    let double = "| [@,@][] ";
    let many = format!("@ {} | [@] {} | map(&length(@[*]), @)", double.repeat(16), double.repeat(14));
    assert_eq!(message(&many), "the expression takes too many steps");
    let doubled = "| join('', [@, @]) ".repeat(60);
    assert_eq!(message(&format!("to_string(@) {doubled}")), "the expression creates too much text");
    assert_eq!(
        message(&format!("@ {}", "| to_string([@, @])".repeat(40))),
        "the expression creates too much text"
    );
    // Balanced by brackets, so that the expression itself is flat.
    let wrap = format!("{}@{}", "[".repeat(60), "]".repeat(60));
    assert_eq!(message(&format!("{wrap} | {wrap}")), "the result of the expression is nested too deeply");
}

#[test]
fn a_million_items_are_sorted() {
    let list: Vec<u64> = (0..1_000_000_u64).map(|at| (at * 7919) % 1_000_003).collect();
    let data = json!(list);
    let mut budget = Budget::default();
    let sorted = Expression::compile("sort(@)[:2]").unwrap().evaluate(&data, &mut budget).unwrap();
    assert_eq!(sorted, json!([0, 1]));
    assert!(budget.steps < Budget::default().steps / 2);
    let mut little = Budget { steps: 100_000, bytes: 0 };
    assert!(Expression::compile("sort(@)[:2]").unwrap().evaluate(&data, &mut little).is_err());
    assert_eq!(little.steps, 0);
}

#[test]
fn comparing_long_texts_costs() {
    let long = "a".repeat(1 << 20);
    let data = json!({ "long": long });
    let flat = "| [@,@][] ".repeat(14);
    let error = over(&format!("[long] {flat} | sort(@)"), &data).unwrap_err();
    assert_eq!(error.message, "the expression takes too many steps");
}

#[test]
fn whole_numbers_stay_exact() {
    let data =
        json!({"big": u64::MAX, "small": i64::MIN, "half": 0.5, "one": 1.0, "text": "9007199254740993"});
    for (text, wanted) in [
        ("big", "18446744073709551615"),
        ("abs(small)", "9223372036854775808"),
        ("sum([big, small])", "9223372036854775807"),
        ("to_number(text)", "9007199254740993"),
        ("big > `18446744073709551614`", "true"),
        ("`9007199254740993` == `9007199254740992.0`", "false"),
        ("one == `1`", "true"),
        ("one", "1.0"),
        ("avg([`1`, `2`])", "1.5"),
        ("avg([`1`, `3`])", "2"),
        ("sum([half, half])", "1"),
        ("to_string(one)", "\"1.0\""),
    ] {
        assert_eq!(over(text, &data).unwrap().to_string(), wanted, "{text}");
    }
}

#[test]
fn what_it_reads_is_known() {
    let reads = |text: &str| {
        let expression = Expression::compile(text).unwrap();
        let names: Vec<&str> = expression.variables().iter().map(|variable| variable.name.as_str()).collect();
        for variable in expression.variables() {
            assert_eq!(text.get(variable.at.clone()), Some(variable.name.as_str()));
        }
        (names.join(" "), expression.reads("other"))
    };
    for (text, names, all) in [
        ("a.b[?c == `1`].d", "a", false),
        ("a | b", "a", false),
        ("@.a", "a", false),
        ("@ | a", "a", false),
        ("@", "", true),
        ("[a, {k: b}] | c", "a b", false),
        ("length(a) > `1` && !b || c", "a b c", false),
        ("sort_by(a, &b)", "a", false),
        ("map(&b, a)", "a", false),
        ("*.a", "", true),
        ("keys(@)", "", true),
        ("contains(a, 'b')", "a", false),
        ("(a || b).c", "a b", false),
        ("[0]", "", true),
    ] {
        assert_eq!(reads(text), (names.to_owned(), all), "{text}");
    }
}

#[test]
fn patterns_fold_case_and_name_their_faults() {
    let finds = |pattern: &str, text: &str| Pattern::compile(pattern, true).unwrap().find(text).is_some();
    assert!(finds("É+t", "éÉÉT") && finds("[é]", "É") && finds("^[^é]$", "e") && !finds("^[^é]$", "É"));
    assert!(finds("straße", "STRAßE") && !finds(r"\W", "a"));
    for (pattern, place, message) in [
        ("a(?=b)", "(?=", "look-ahead is not supported"),
        ("(?<!a)b", "(?<!", "look-behind is not supported"),
        (r"(a)\1", r"\1", "back-references are not supported"),
        (r"\p{L}", r"\p", "Unicode classes are not supported"),
        ("a(b", "(", "`(` is not closed"),
        ("ab)", ")", "unmatched `)`"),
        ("[]a", "[", "`[` is not closed"),
        ("[A-Z[0-9]", "[", "`[` inside `[…]`"),
        ("(a{1000}){1000}", "(a{1000}){1000}", "the pattern has too many repetitions"),
        ("a\\", "\\", "there is nothing after `\\`"),
    ] {
        let error = Pattern::compile(pattern, false).unwrap_err();
        assert_eq!((pattern.get(error.at).unwrap(), error.message.as_str()), (place, message));
    }
    for pattern in ["*", "a|+b", "(*a)"] {
        let message = Pattern::compile(pattern, false).unwrap_err().message;
        assert!(message.starts_with("there is nothing to repeat before"), "{pattern}: {message}");
    }
    assert!(Pattern::compile(&"a".repeat(5_000), false).is_err());
    assert!(Pattern::compile(&"(".repeat(4_000), false).is_err());
    assert!(Pattern::compile(&format!("{}a{}", "(".repeat(2_000), ")".repeat(2_000)), false).is_err());
}

#[test]
fn a_pattern_meant_to_hang_does_not() {
    let text = "a".repeat(10_000) + "!";
    for pattern in ["(a+)+$", "(a|aa)+$", "(.*)*x", "(a*)*b", "(?:){1000000}b", "(?:(?:a?){50}){5}c"] {
        let Ok(pattern) = Pattern::compile(pattern, false) else { continue };
        assert_eq!(pattern.find_within(&text, &mut Budget::default()), Ok(None));
    }
    for pattern in [
        "(?:(?:(?:){1000}){1000}){1000}",
        "(?:(?:(?:){99999}){99999}){99999}",
        "((((a?){99}){99}){99}){99}",
        "(?:a{0}){4000000000}",
    ] {
        if let Ok(pattern) = Pattern::compile(pattern, true) {
            assert!(pattern.find_within("aaa", &mut Budget::default()).is_ok());
        }
    }
    let large = Pattern::compile("(?:a?){400}b", false).unwrap();
    let text = "a".repeat(4 << 20);
    assert!(large.find_within(&text, &mut Budget::default()).is_err());
}

/// The cost of a pattern is known before the search, and one that costs too much is reported with its name.
#[test]
fn a_pattern_costs_its_states_on_every_letter() {
    let stars = "(a*)*".repeat(50);
    let text = "a".repeat(1 << 20);
    for pattern in [
        stars.as_str(),
        "(?:a?){400}b",
        "((a{10}){10}){10}",
        "(x+x+)+y{0,200}",
        &(0..300).map(|word| format!("word{word}|")).collect::<String>(),
        "[\\w\\d\\s]{100}",
        "(?:.{50}|.{60}|.{70})z",
        "(?i)(?:[a-z]{1,30}){1,10}!",
    ] {
        let pattern = Pattern::compile(pattern, false).unwrap();
        let mut budget = Budget::default();
        let error = pattern.find_within(&text, &mut budget).unwrap_err();
        let named: String = pattern.text().chars().take(60).collect();
        let wanted = format!("the pattern `{named}");
        assert!(error.message.starts_with(&wanted), "{}", error.message);
        assert!(
            error.message.ends_with(" takes too many steps on a text of 1048576 letters"),
            "{}",
            error.message
        );
        // Nothing was searched, so nothing is spent.
        assert_eq!(budget, Budget::default());
        // A text of its own size is not too long for it.
        assert!(pattern.find_within("aaaaaaaaaa", &mut budget).is_ok());
        assert!(budget.steps > 4_900_000, "{}", pattern.text());
    }
    // Usual patterns are searched for in texts of megabytes.
    for pattern in
        ["ne+dle", "(sunny|rainy|cloudy)", "\\d{3}-\\d{4}", "[a-z]+@[a-z]+\\.[a-z]{2,4}", "^It is .*°F$"]
    {
        let steps = Pattern::compile(pattern, true).unwrap().steps(&text);
        assert!(steps < 5_000_000, "{pattern}: {steps}");
    }
    let budget = &mut Budget { steps: 1_000, ..Budget::default() };
    assert_eq!(Pattern::compile("abc", false).unwrap().find_within("xxabc", budget), Ok(Some(2..5)));
    assert_eq!(budget.steps, 998);
}
