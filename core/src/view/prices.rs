//! What model calls cost, by a dated table of prices.

use serde_json::{Map, Value};

use crate::model::Tokens;

/// The keys of a model's prices.
const RATES: [&str; 4] = ["input", "output", "cached_input", "cache_write"];
/// No model has a longer name.
const LONGEST: usize = 200;
/// What is before a name where the price of the model is not that of its vendor: local hosts, and fine-tuned models.
const NOT_SOLD: [&str; 6] = ["ft", "llamacpp", "lm_studio", "ollama", "ollama_chat", "vllm"];
/// What may follow the name of a model: the day or the number of a revision. Each 0 stands for any digit, each dash also
/// for `@` and `:`. The longer form of a number comes first.
const VERSIONS: [&[u8]; 11] = [
    b"-0000-00-00",
    b"-00000000",
    b"-000000",
    b"-00-00",
    b"-0000",
    b"-000",
    b"-v0-0",
    b"-v0",
    b"-latest",
    b"-preview",
    b"-exp",
];

/// A table of prices: `{"date": "2026-11-04", "currency": "USD", "per": 1000000, "models": {"gpt-4o": {"input": 2.5, "output": 10}}}`.
#[derive(Clone, Debug, PartialEq)]
pub struct Prices {
    /// The day of the prices.
    pub date: String,
    /// The currency, such as `USD`.
    pub currency: String,
    per: f64,
    models: Vec<(String, ModelPrice)>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct ModelPrice {
    rates: Rates,
    /// The prices of a call with more input tokens than that.
    above: Option<(f64, Rates)>,
}

/// In the order of [`RATES`].
type Rates = [f64; 4];

impl Prices {
    /// Reads a table.
    ///
    /// # Errors
    ///
    /// What is wrong with it, and where.
    ///
    /// ```
    /// use transcript_core::view::Prices;
    /// let table = r#"{"date": "2026-01-01", "currency": "USD", "per": 1000, "models": {"mine": {"input": 1, "output": "2"}}}"#;
    /// assert_eq!(Prices::parse(table).unwrap_err(), "models › mine › output: expected a number of 0 or more");
    /// ```
    pub fn parse(text: &str) -> Result<Self, String> {
        let table: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
        let table = entries("the table", &table, &["date", "currency", "per", "models"])?;
        let text = |key: &str| match table.get(key).and_then(Value::as_str) {
            Some(text) if !text.is_empty() => Ok(text.to_owned()),
            _ => Err(wrong(key, "text")),
        };
        let per = number("per", table.get("per"))?;
        if per == 0.0 {
            return Err(wrong("per", "a number above 0"));
        }
        let Some(Value::Object(models)) = table.get("models") else {
            return Err(wrong("models", "an object"));
        };
        let mut out = Self { date: text("date")?, currency: text("currency")?, per, models: Vec::new() };
        for (name, price) in models {
            out.models.push((name.to_lowercase(), model_price(&format!("models › {name}"), price)?));
        }
        Ok(out)
    }

    /// What a call cost; absent where the model has no price, or the tokens are not known.
    ///
    /// ```
    /// use serde_json::json;
    /// use transcript_core::{model::Tokens, view::Prices};
    /// let table = r#"{"date": "2026-01-01", "currency": "USD", "per": 1000, "models": {"gpt-4o": {"input": 2, "output": 8}}}"#;
    /// let usage = Tokens::read(&json!({"prompt_tokens": 500, "completion_tokens": 250}));
    /// assert_eq!(Prices::parse(table)?.cost("openai/gpt-4o-2024-08-06", &usage), Some(3.0));
    /// # Ok::<(), String>(())
    /// ```
    #[must_use]
    pub fn cost(&self, model: &str, tokens: &Tokens) -> Option<f64> {
        let price = self.find(model)?;
        let [input, output, cached, written] =
            [Some(tokens.uncached()?), tokens.billed_output(), tokens.cached, tokens.cache_written]
                .map(|count| count.unwrap_or(0) as f64);
        let above = price.above.filter(|(limit, _)| input + cached + written > *limit);
        let rates = above.map_or(price.rates, |(_, rates)| rates);
        let sum: f64 = rates.iter().zip([input, output, cached, written]).map(|(rate, n)| rate * n).sum();
        Some(sum / self.per)
    }

    /// The price of a model. A host, a vendor and a region may be before its name: `openai/gpt-4o`, `us.anthropic.claude-…`.
    fn find(&self, model: &str) -> Option<&ModelPrice> {
        if model.len() > LONGEST {
            return None;
        }
        let name = model.to_lowercase();
        // `claude-sonnet-4.5` is `claude-sonnet-4-5` elsewhere. What follows a known name is read as it was written.
        let dashed = name.replace('.', "-");
        let (mut name, mut dashed) = (name.as_str(), dashed.as_str());
        loop {
            let mut best = None;
            let mut length = 0;
            for (known, price) in &self.models {
                let known = known.as_str();
                if known.len() > length
                    && (name.starts_with(known) || dashed.starts_with(known))
                    && name.get(known.len()..).is_some_and(is_version)
                {
                    (best, length) = (Some(price), known.len());
                }
            }
            if best.is_some() {
                return best;
            }
            let (before, after) = name.split_at(name.find(['/', '.', ':'])?);
            // In `gpt-4.1` the point is part of a version.
            if NOT_SOLD.contains(&before)
                || after.starts_with('.') && before.contains(|c: char| c.is_ascii_digit())
            {
                return None;
            }
            name = after.get(1..)?;
            dashed = dashed.get(before.len() + 1..)?;
        }
    }
}

/// Whether what follows the name of a model is a date or the number of a revision, and not the name of another model:
/// `-20250929`, `-2025-08-07`, `-20241022-v2:0`, `-preview-05-20`, `-latest`.
fn is_version(rest: &str) -> bool {
    let form = |byte: u8| match byte {
        b'0'..=b'9' => b'0',
        b'@' | b':' => b'-',
        byte => byte,
    };
    let rest: Vec<u8> = rest.bytes().map(form).collect();
    let mut rest = rest.as_slice();
    while let Some(after) = VERSIONS.iter().find_map(|version| rest.strip_prefix(*version)) {
        rest = after;
    }
    rest.is_empty()
}

fn model_price(place: &str, price: &Value) -> Result<ModelPrice, String> {
    let [input, output, cached_input, cache_write] = RATES;
    let price = entries(place, price, &[input, output, cached_input, cache_write, "above"])?;
    let rates = rates(place, price)?;
    let Some(above) = price.get("above") else { return Ok(ModelPrice { rates, above: None }) };
    let place = format!("{place} › above");
    let above = entries(&place, above, &[input, output, cached_input, cache_write, "tokens"])?;
    let limit = number(&format!("{place} › tokens"), above.get("tokens"))?;
    Ok(ModelPrice { rates, above: Some((limit, self::rates(&place, above)?)) })
}

/// Input that is read from a cache or written to it costs what other input does, unless the table says otherwise.
fn rates(place: &str, price: &Map<String, Value>) -> Result<Rates, String> {
    let rate = |key: &str| number(&format!("{place} › {key}"), price.get(key));
    let [input, output, cached_input, cache_write] = RATES;
    let all = rate(input)?;
    let cache = |key: &str| if price.contains_key(key) { rate(key) } else { Ok(all) };
    Ok([all, rate(output)?, cache(cached_input)?, cache(cache_write)?])
}

/// The entries of an object that has no others than these.
fn entries<'v>(place: &str, value: &'v Value, known: &[&str]) -> Result<&'v Map<String, Value>, String> {
    let Value::Object(entries) = value else { return Err(wrong(place, "an object")) };
    match entries.keys().find(|key| !known.contains(&key.as_str())) {
        Some(other) => Err(format!("{place}: unknown key {other}; expected {}", known.join(", "))),
        None => Ok(entries),
    }
}

fn number(place: &str, value: Option<&Value>) -> Result<f64, String> {
    let number = value.and_then(Value::as_f64).filter(|number| *number >= 0.0);
    number.ok_or_else(|| wrong(place, "a number of 0 or more"))
}

fn wrong(place: &str, expected: &str) -> String {
    format!("{place}: expected {expected}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const TABLE: &str = r#"{"date": "2026-01-02", "currency": "USD", "per": 1000000, "models": {
        "gpt-5": {"input": 1, "output": 10, "cached_input": 0.1},
        "gpt-5-mini": {"input": 2, "output": 2},
        "claude-sonnet-4": {"input": 3, "output": 3},
        "claude-sonnet-4-5": {"input": 4, "output": 20, "cached_input": 0.4, "cache_write": 5,
            "above": {"tokens": 200000, "input": 8, "output": 30, "cached_input": 0.8, "cache_write": 10}},
        "Gemini-2.5-flash": {"input": 5, "output": 5},
        "gemini-2.5-flash-preview": {"input": 6, "output": 6},
        "grok-4": {"input": 9, "output": 9},
        "free": {"input": 0, "output": 0}
    }}"#;

    /// What a million input tokens cost.
    fn input_price(model: &str) -> Option<f64> {
        Prices::parse(TABLE).unwrap().find(&model.to_lowercase()).map(|price| price.rates[0])
    }

    #[test]
    fn a_model_is_known_by_its_name_with_a_date_a_host_or_a_region() {
        for (model, price) in [
            ("gpt-5", 1.0),
            ("gpt-5-2025-08-07", 1.0),
            ("GPT-5-latest", 1.0),
            ("openai/gpt-5", 1.0),
            ("openai:gpt-5", 1.0),
            ("gpt-5-mini-2025-08-07", 2.0),
            ("claude-sonnet-4-20250514", 3.0),
            ("claude-sonnet-4@20250514", 3.0),
            ("claude-sonnet-4-5-20250929", 4.0),
            ("openrouter/anthropic/claude-sonnet-4.5", 4.0),
            ("us.anthropic.claude-sonnet-4-5-20250929-v1:0", 4.0),
            (
                "arn:aws:bedrock:us-east-1:1:inference-profile/eu.anthropic.claude-sonnet-4-5-20250929-v1:0",
                4.0,
            ),
            ("models/gemini-2.5-flash-001", 5.0),
            ("gemini-2.5-flash-preview-05-20", 6.0),
            ("grok-4-0709", 9.0),
        ] {
            assert_eq!(input_price(model), Some(price), "{model}");
        }
    }

    #[test]
    fn another_model_with_the_same_beginning_is_unknown() {
        for model in [
            "",
            "gpt-5-ultra",
            "gpt-5.1",
            "gpt-5.10-2027-01-01",
            "gpt-5-12-mini",
            "gpt-5-2025-08",
            "gpt-50",
            "ft:gpt-5",
            "openai/ft:gpt-5:mine",
            "ollama/gpt-5",
            "vllm:gpt-5",
            "claude-sonnet-4-6",
            "gemini-2.5-flash-lite",
            "grok-4-20",
            "grok-4.20",
            "grok-4.20-0309",
            "grok-4-20-0309",
            "my.model/",
        ] {
            assert_eq!(input_price(model), None, "{model}");
        }
        assert_eq!(input_price(&"a/".repeat(200_000)), None);
    }

    #[test]
    fn each_kind_of_token_has_its_price() {
        let prices = Prices::parse(TABLE).unwrap();
        let cost = |model: &str, usage: Value| prices.cost(model, &Tokens::read(&usage));
        // 400 at 1, 600 at 0.1 and 50 at 10 for a million.
        let openai = json!({"prompt_tokens": 1000, "completion_tokens": 50, "prompt_tokens_details": {"cached_tokens": 600}});
        assert_eq!(cost("gpt-5", openai.clone()), Some(960.0 / 1e6));
        // Without a price of cached input all 1000 cost 2.
        assert_eq!(cost("gpt-5-mini", openai.clone()), Some(2_100.0 / 1e6));
        // 10 at 4, 100 at 0.4, 20 at 5 and 3 at 20.
        let anthropic = json!({
            "input_tokens": 10, "cache_read_input_tokens": 100, "cache_creation_input_tokens": 20, "output_tokens": 3
        });
        assert_eq!(cost("claude-sonnet-4-5", anthropic), Some(240.0 / 1e6));
        assert_eq!(cost("free", openai), Some(0.0));
        assert_eq!(cost("gpt-5", json!({"total_tokens": 9})), None);
        // What the output cost alone is not what the call cost.
        assert_eq!(cost("gpt-5", json!({"output_tokens": 9})), None);
        // The AI SDK 5 has Anthropic's counts, which are apart, under names of its own.
        let apart =
            json!({"inputTokens": 10, "cachedInputTokens": 100, "outputTokens": 3, "totalTokens": 13});
        assert_eq!(cost("claude-sonnet-4-5", apart), Some(140.0 / 1e6));
        // xAI leaves the reasoning out of the completion; only the total has it.
        let xai = json!({
            "prompt_tokens": 10, "completion_tokens": 3, "total_tokens": 20,
            "completion_tokens_details": {"reasoning_tokens": 7}
        });
        assert_eq!(cost("gpt-5", xai), Some(110.0 / 1e6));
    }

    #[test]
    fn a_long_prompt_has_prices_of_its_own() {
        let prices = Prices::parse(TABLE).unwrap();
        let cost = |input: u64| {
            let usage =
                json!({"input_tokens": input, "cache_read_input_tokens": 100_000, "output_tokens": 1000});
            prices.cost("claude-sonnet-4-5", &Tokens::read(&usage))
        };
        // 100000 at 4, as many at 0.4 and 1000 at 20; one token more, and all of them cost more.
        assert_eq!(cost(100_000), Some(0.46));
        assert_eq!(cost(100_001), Some((100_001.0 * 8.0 + 100_000.0 * 0.8 + 1000.0 * 30.0) / 1e6));
    }

    #[test]
    fn a_mistake_is_reported_with_its_place() {
        let table =
            |models: &str| format!(r#"{{"date": "d", "currency": "EUR", "per": 1, "models": {models}}}"#);
        for (text, error) in [
            ("[]".to_owned(), "the table: expected an object"),
            ("{\n\"date\" 3}".to_owned(), "expected `:` at line 2 column 8"),
            ("{}".to_owned(), "per: expected a number of 0 or more"),
            (r#"{"per": 1, "models": {}, "date": 2026}"#.to_owned(), "date: expected text"),
            (r#"{"per": 0}"#.to_owned(), "per: expected a number above 0"),
            (table("[1]"), "models: expected an object"),
            (table(r#"{"a": {"output": 1}}"#), "models › a › input: expected a number of 0 or more"),
            (
                table(r#"{"a": {"input": 1, "ouput": 1}}"#),
                "models › a: unknown key ouput; expected input, output, cached_input, cache_write, above",
            ),
            (
                table(r#"{"a": {"input": 1, "output": 1, "above": {"tokens": -1}}}"#),
                "models › a › above › tokens: expected a number of 0 or more",
            ),
        ] {
            assert_eq!(Prices::parse(&text).unwrap_err(), error);
        }
    }

    #[test]
    fn the_table_of_the_site_is_well_formed() {
        let prices = Prices::parse(include_str!("../../../public/prices.json")).unwrap();
        assert_eq!((prices.currency.as_str(), prices.date.len()), ("USD", 10));
        // As the vendor lists it: 3 for input, 15 for output.
        let usage = Tokens::read(&json!({"input_tokens": 100_000, "output_tokens": 20_000}));
        let cost = prices.cost("anthropic/claude-sonnet-4.5", &usage);
        assert!(cost.is_some_and(|cost| (cost - 0.6).abs() < 1e-9), "{cost:?}");
        let rates = |model: &str| prices.find(model).map(|price| [price.rates[0], price.rates[1]]);
        for (model, expected) in [
            ("gpt-4-0613", [30.0, 60.0]),
            ("gpt-4-1106-preview", [10.0, 30.0]),
            ("gpt-4-0125-preview", [10.0, 30.0]),
            ("gpt-3.5-turbo-0613", [1.5, 2.0]),
            ("mistral-large-2411", [2.0, 6.0]),
            ("mistral-medium-2508", [0.4, 2.0]),
            ("claude-sonnet-4-0", [3.0, 15.0]),
            ("deepseek-v3.2-exp", [0.27, 0.41]),
            ("deepseek-reasoner", [0.28, 0.42]),
        ] {
            assert_eq!(rates(model), Some(expected), "{model}");
        }
    }
}
