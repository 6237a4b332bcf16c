//! The subset of Jinja that occurs in runs: `{{ }}` with literals, names of the context, sums, products
//! and joined texts, and `{# #}`. A text with anything else is unchanged.

use serde_json::{Map, Number, Value};

use crate::encoding::python;

/// The maximum nesting depth of parentheses.
const DEPTH: usize = 32;
/// The maximum size of a rendered text in bytes.
const BYTES: usize = 1 << 20;

/// The text with its braces evaluated; unchanged if it has unsupported syntax.
pub(super) fn render(text: &str, context: &Map<String, Value>) -> String {
    filled(text, context).unwrap_or_else(|| text.to_owned())
}

fn filled(text: &str, context: &Map<String, Value>) -> Option<String> {
    let mut out = String::new();
    let mut rest = text;
    loop {
        let Some((before, after)) = rest.split_once('{') else {
            out.push_str(rest);
            return Some(out);
        };
        out.push_str(before);
        if let Some(after) = after.strip_prefix('{') {
            let (inside, after) = after.split_once("}}")?;
            // A dash at the brace removes the blanks around it.
            if inside.starts_with('-') || inside.ends_with('-') {
                return None;
            }
            let mut reader = Reader { rest: inside, context, depth: 0 };
            let value = reader.joined()?;
            if !reader.rest.trim().is_empty() {
                return None;
            }
            out.push_str(&python::str(&value));
            rest = after;
        } else if let Some(after) = after.strip_prefix('#') {
            rest = after.split_once("#}")?.1;
        } else if after.starts_with('%') {
            return None;
        } else {
            out.push('{');
            rest = after;
        }
        if out.len() > BYTES {
            return None;
        }
    }
}

struct Reader<'t> {
    rest: &'t str,
    context: &'t Map<String, Value>,
    depth: usize,
}

impl Reader<'_> {
    fn takes(&mut self, sign: &str) -> bool {
        let rest = self.rest.trim_start();
        match rest.strip_prefix(sign) {
            Some(after) => {
                self.rest = after;
                true
            }
            None => false,
        }
    }

    fn joined(&mut self) -> Option<Value> {
        let mut left = self.sum()?;
        while self.takes("~") {
            let right = self.sum()?;
            left = Value::String(python::str(&left) + &python::str(&right));
        }
        Some(left)
    }

    fn sum(&mut self) -> Option<Value> {
        let mut left = self.product()?;
        loop {
            let sign = if self.takes("+") {
                '+'
            } else if self.takes("-") {
                '-'
            } else {
                return Some(left);
            };
            let right = self.product()?;
            left = match (&left, &right) {
                (Value::String(a), Value::String(b)) if sign == '+' => Value::String(format!("{a}{b}")),
                _ => arithmetic(sign, &left, &right)?,
            };
        }
    }

    fn product(&mut self) -> Option<Value> {
        let mut left = self.operand()?;
        loop {
            let sign = if self.takes("*") {
                '*'
            } else if self.takes("//") {
                'd'
            } else if self.takes("/") {
                '/'
            } else if self.takes("%") {
                '%'
            } else {
                return Some(left);
            };
            let right = self.operand()?;
            left = arithmetic(sign, &left, &right)?;
        }
    }

    fn operand(&mut self) -> Option<Value> {
        self.depth += 1;
        if self.depth > DEPTH {
            return None;
        }
        let found = self.primary();
        self.depth -= 1;
        found
    }

    fn primary(&mut self) -> Option<Value> {
        if self.takes("(") {
            let inner = self.joined()?;
            return self.takes(")").then_some(inner);
        }
        if self.takes("-") {
            let value = self.operand()?;
            return arithmetic('-', &Value::from(0), &value);
        }
        let rest = self.rest.trim_start();
        let first = rest.chars().next()?;
        if first == '\'' || first == '"' {
            let (text, after) = rest.strip_prefix(first)?.split_once(first)?;
            self.rest = after;
            return (!text.contains('\\')).then(|| Value::String(text.to_owned()));
        }
        let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.');
        let end = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        let (word, after) = rest.split_at_checked(end)?;
        self.rest = after;
        if first.is_ascii_digit() {
            return crate::text::json_value(word).ok();
        }
        match word {
            "" => None,
            "true" | "True" => Some(true.into()),
            "false" | "False" => Some(false.into()),
            "none" | "None" => Some(Value::Null),
            name => Some(self.named(name)),
        }
    }

    /// The value of a name in the context; an unknown one is an empty text.
    fn named(&self, name: &str) -> Value {
        let mut parts = name.split('.');
        let first = parts.next().and_then(|first| self.context.get(first));
        let found = parts.fold(first, |found, part| found?.get(part));
        found.cloned().unwrap_or_else(|| Value::String(String::new()))
    }
}

fn arithmetic(sign: char, left: &Value, right: &Value) -> Option<Value> {
    let (Value::Number(a), Value::Number(b)) = (left, right) else { return None };
    if let (Some(a), Some(b)) = (a.as_i64(), b.as_i64())
        && sign != '/'
    {
        return match sign {
            '+' => a.checked_add(b),
            '-' => a.checked_sub(b),
            '*' => a.checked_mul(b),
            // Python rounds down, and the rest has the sign of the divisor.
            'd' if b != 0 => {
                let (quotient, rest) = (a.checked_div(b)?, a.checked_rem(b)?);
                Some(if rest != 0 && (rest < 0) != (b < 0) { quotient - 1 } else { quotient })
            }
            '%' if b != 0 => {
                let rest = a.checked_rem(b)?;
                Some(if rest != 0 && (rest < 0) != (b < 0) { rest + b } else { rest })
            }
            _ => None,
        }
        .map(Value::from);
    }
    let (a, b) = (a.as_f64()?, b.as_f64()?);
    let value = match sign {
        '+' => a + b,
        '-' => a - b,
        '*' => a * b,
        '/' if b != 0.0 => a / b,
        _ => return None,
    };
    Number::from_f64(value).map(Value::Number)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn rendered(text: &str) -> String {
        let Value::Object(context) = json!({"name": "Bob", "user": {"age": 7}}) else { panic!() };
        render(text, &context)
    }

    #[test]
    fn braces_are_worked_out() {
        for (text, wanted) in [
            ("sum is {{ 1 + 1 }}", "sum is 2"),
            ("{{1+2*3}} {{ (1 + 2) * 3 }}", "7 9"),
            ("{{ 7 / 2 }} {{ 7 // 2 }} {{ -7 // 2 }} {{ -7 % 3 }}", "3.5 3 -4 2"),
            ("{{ 'a' ~ 1 }} {{ \"a\" + 'b' }}", "a1 ab"),
            ("I am {{ name }}, {{ user.age + 1 }}, {{ nobody }}", "I am Bob, 8, "),
            ("{# aside #}{'a': 1}", "{'a': 1}"),
        ] {
            assert_eq!(rendered(text), wanted);
        }
    }

    #[test]
    fn the_rest_stays_as_it_stands() {
        for text in
            ["{% if x %}y{% endif %}", "{{ x | upper }}", "{{ 1 +", "{{ 1 / 0 }}", "{{ [1] }}", "{{ }}"]
        {
            assert_eq!(rendered(text), text);
        }
        let deep = format!("{{{{ {} }}}}", "(".repeat(100_000));
        assert_eq!(rendered(&deep), deep);
    }
}
