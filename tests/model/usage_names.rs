//! The names of token counts that vendors, frameworks and logs have. The package reads the same shapes.

use serde_json::{Map, Value, json};
use transcript_core::model::Tokens;

fn fixture() -> Value {
    serde_json::from_str(include_str!("usage-shapes.json")).unwrap()
}

#[test]
fn every_shape_of_a_usage_has_its_counts() {
    for shape in fixture()["shapes"].as_array().unwrap() {
        let tokens = Tokens::read(&shape["usage"]);
        let Tokens { prompt, completion, cached, cache_written, reasoning, .. } = tokens;
        let counts = json!({
            "input": prompt, "output": completion, "total": tokens.total(),
            "cacheRead": cached, "cacheWrite": cache_written, "reasoning": reasoning,
        });
        assert_eq!(counts, shape["counts"], "{}", shape["name"]);
    }
}

/// Puts a count where a path leads; whether there was a place for it.
fn put(usage: &mut Map<String, Value>, path: &str, count: u64) -> bool {
    match path.split_once('/') {
        None => usage.insert(path.to_owned(), count.into()).is_none(),
        Some((key, rest)) => match usage.entry(key).or_insert_with(|| json!({})) {
            Value::Object(inner) => put(inner, rest, count),
            _ => false,
        },
    }
}

#[test]
fn the_first_of_several_names_counts() {
    for (group, paths) in Tokens::names() {
        let read = |usage: Map<String, Value>| {
            let tokens = Tokens::read(&usage.into());
            match group {
                "prompt" => tokens.prompt,
                "completion" => tokens.completion,
                "total" => tokens.total(),
                "cached" | "separateCached" => tokens.cached,
                "cacheWritten" | "separateCacheWritten" => tokens.cache_written,
                _ => tokens.reasoning,
            }
        };
        for (at, path) in paths.iter().enumerate() {
            let mut usage = Map::new();
            assert!(put(&mut usage, path, 7));
            assert_eq!(read(usage.clone()), Some(7), "{path}");
            for later in paths.get(at + 1..).unwrap_or_default() {
                let mut both = usage.clone();
                if put(&mut both, later, 9) {
                    assert_eq!(read(both), Some(7), "{path} before {later}");
                }
            }
        }
    }
}
