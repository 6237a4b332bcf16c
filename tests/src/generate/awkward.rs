//! Texts and numbers that some reader takes for something else when they are written carelessly.

use serde_json::{Value, json};

/// Words and numbers of YAML 1.1, 1.2 and their readers; what begins or ends a construct; then texts
/// with line ends, tabs, and characters that some version forbids or that cannot be seen.
const SHORT: &str = include_str!("awkward.json");

/// All awkward texts, the long ones included.
pub fn texts() -> Vec<String> {
    let short: Vec<String> = serde_json::from_str(SHORT).expect("the list is JSON");
    let long = [
        "a".repeat(1_000),
        "a".repeat(1_001),
        "b".repeat(1_024),
        "c".repeat(1_025),
        "d".repeat(5_000),
        "word ".repeat(300),
        "word ".repeat(300) + "end",
        "é".repeat(600),
        "😀".repeat(513),
        "\u{1}".repeat(200),
        "a \"quoted\" word, ".repeat(70) + "end",
        "line\n".repeat(400),
        "line \n".repeat(40),
    ];
    short.into_iter().chain(long).collect()
}

/// Numbers at the edges of their types and in the forms of exponents.
pub fn numbers() -> Vec<Value> {
    let integers =
        [0, 1, -1, 7, 8, 10, 60, 1_000, i64::MAX, i64::MIN, (1 << 53) + 1].map(|number| json!(number));
    let large = [u64::MAX, 1 << 63].map(|number| json!(number));
    let floats = [
        0.0,
        -0.0,
        1.0,
        -1.0,
        0.1,
        1.5,
        100.0,
        1e3,
        1e15,
        1e16,
        1e17,
        1e21,
        1e22,
        1e23,
        1.5e22,
        -1e22,
        1e100,
        1e-4,
        1e-5,
        1e-6,
        1e-7,
        1.5e-7,
        -2.5e-10,
        5e-324,
        f64::MAX,
        f64::MIN,
        f64::MIN_POSITIVE,
        f64::EPSILON,
        9_007_199_254_740_993.0,
        0.1 + 0.2,
        1.0 / 3.0,
    ]
    .map(|number| json!(number));
    integers.into_iter().chain(large).chain(floats).collect()
}
