//! The arguments of a call as the tool gets them: defaults filled in, texts converted to the types of the schema.

use serde_json::{Map, Number, Value};

use super::input::Profile;
use super::tool::{Tool, ToolFault};
use crate::encoding::python;
use crate::text::json;
use crate::validate::misfits;

/// The arguments that the tool gets, or why it cannot accept these.
pub(super) fn bind(
    tool: &Tool,
    arguments: &Value,
    profile: Profile,
) -> Result<Map<String, Value>, ToolFault> {
    let none = Map::new();
    let arguments = match arguments {
        Value::Object(arguments) => arguments,
        Value::Null => &none,
        _ => return Err(ToolFault::new("the arguments are not a map")),
    };
    let Some(properties) = tool.parameters.get("properties").and_then(Value::as_object) else {
        return Ok(arguments.clone());
    };
    match profile {
        Profile::GoodAgent => bind_strictly(tool, properties, arguments),
        Profile::Default => bind_leniently(tool, properties, arguments),
    }
}

fn is_required(tool: &Tool, name: &str) -> bool {
    let required = tool.parameters.get("required").and_then(Value::as_array);
    required.into_iter().flatten().any(|key| key.as_str() == Some(name))
}

fn type_of(schema: &Value) -> &str {
    schema.get("type").and_then(Value::as_str).unwrap_or("")
}

/// Like the library: unknown arguments are dropped, and the error text is that of its package for
/// binding arguments.
fn bind_strictly(
    tool: &Tool,
    properties: &Map<String, Value>,
    arguments: &Map<String, Value>,
) -> Result<Map<String, Value>, ToolFault> {
    let mut bound = Map::new();
    let mut faults = String::new();
    for (name, schema) in properties {
        let kind = type_of(schema);
        let default = schema.get("default");
        let value = match (arguments.get(name), default) {
            (Some(value), _) => coerced(kind, value),
            (None, Some(default)) => Some(default.clone()),
            (None, None) if is_required(tool, name) => None,
            (None, None) => continue,
        };
        match value {
            Some(value) => {
                bound.insert(name.clone(), value);
            }
            None => {
                faults.push_str(&format!("\n    OptionItem[{name}, type=`{}`", python_type(kind)));
                if let Some(default) = default {
                    faults.push_str(&format!(", default=`{}`", python::str(default)));
                }
                faults.push(']');
            }
        }
    }
    if faults.is_empty() {
        return Ok(bound);
    }
    let options: Vec<String> =
        arguments.iter().map(|(name, value)| format!("{name}=`{}`", python::str(value))).collect();
    let options = options.join(", ");
    Err(ToolFault::new(format!(
        "Validation error: \n    Incoming options: {options}\n    In the following option types error occurred:{faults}"
    )))
}

/// Binds leniently: defaults are filled in, a text that is a number or a truth value is converted if the
/// schema requires one, and the whole must match the schema.
fn bind_leniently(
    tool: &Tool,
    properties: &Map<String, Value>,
    arguments: &Map<String, Value>,
) -> Result<Map<String, Value>, ToolFault> {
    let mut bound = arguments.clone();
    for (name, schema) in properties {
        match (arguments.get(name), schema.get("default")) {
            (Some(text @ Value::String(_)), _) => {
                if let Some(value) = coerced(type_of(schema), text) {
                    bound.insert(name.clone(), value);
                }
            }
            (Some(_), _) | (None, None) => {}
            (None, Some(default)) => {
                bound.insert(name.clone(), default.clone());
            }
        }
    }
    let schema = Value::Object(tool.parameters.clone());
    let faults = misfits(&schema, &Value::Object(bound.clone()), "the argument map");
    if faults.is_empty() { Ok(bound) } else { Err(ToolFault::new(faults.join("; "))) }
}

fn python_type(kind: &str) -> &str {
    match kind {
        "string" => "str",
        "integer" => "int",
        "number" => "float",
        "boolean" => "bool",
        "array" => "list",
        "object" => "dict",
        "null" => "None",
        _ => "Any",
    }
}

/// The value converted to that type by pydantic's lax mode; `None` if impossible.
fn coerced(kind: &str, value: &Value) -> Option<Value> {
    match (kind, value) {
        ("integer", Value::Bool(value)) => Some(json!(i64::from(*value))),
        ("integer", Value::Number(number)) => whole(number),
        ("integer", Value::String(text)) => {
            let text = text.trim();
            let plain = text.split_once('.').filter(|(_, zeros)| zeros.bytes().all(|digit| digit == b'0'));
            let digits = plain.map_or(text, |(digits, _)| digits);
            digits.parse::<i64>().ok().map(Value::from)
        }
        ("number", Value::Bool(value)) => Some(json!(f64::from(u8::from(*value)))),
        ("number", Value::Number(number)) => number.as_f64().map(Value::from),
        ("number", Value::String(text)) => {
            let number = text.trim().parse::<f64>().ok()?;
            Number::from_f64(number).map(Value::Number)
        }
        ("boolean", Value::Bool(_)) => Some(value.clone()),
        ("boolean", Value::Number(number)) => match number.as_f64() {
            Some(0.0) => Some(false.into()),
            Some(1.0) => Some(true.into()),
            _ => None,
        },
        ("boolean", Value::String(text)) => match &*text.to_ascii_lowercase() {
            "true" | "t" | "1" | "yes" | "y" | "on" => Some(true.into()),
            "false" | "f" | "0" | "no" | "n" | "off" => Some(false.into()),
            _ => None,
        },
        ("string", Value::String(_)) | ("array", Value::Array(_)) | ("object", Value::Object(_)) => {
            Some(value.clone())
        }
        ("null", Value::Null) => Some(Value::Null),
        ("string" | "array" | "object" | "boolean" | "integer" | "number" | "null", _) => None,
        _ => Some(value.clone()),
    }
}

fn whole(number: &Number) -> Option<Value> {
    if !number.is_f64() {
        return Some(Value::Number(number.clone()));
    }
    let float = number.as_f64().filter(|float| float.fract() == 0.0 && float.abs() < 9e15)?;
    format!("{float:.0}").parse::<i64>().ok().map(Value::from)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simulate::tool::Source;

    fn tool() -> Tool {
        let parameters = json!({
            "type": "object",
            "properties": {
                "n": {"type": "integer"},
                "flag": {"type": "boolean", "default": false},
                "items": {"type": "array", "default": []},
            },
            "required": ["n"],
        });
        let Value::Object(parameters) = parameters else { panic!() };
        Tool { name: "co".to_owned(), description: None, parameters, source: Source::Live }
    }

    /// Golden 50 and the facts: defaults filled, extra ones dropped, a text is no list.
    #[test]
    fn the_library_drops_and_fills() {
        let bound = bind(&tool(), &json!({"n": "6", "extra": "zzz"}), Profile::GoodAgent).unwrap();
        assert_eq!(Value::Object(bound), json!({"n": 6, "flag": false, "items": []}));
        let error = bind(&tool(), &json!({"n": "5", "flag": "true", "items": "[1,2]"}), Profile::GoodAgent);
        assert_eq!(
            error.unwrap_err().message,
            "Validation error: \n    Incoming options: n=`5`, flag=`true`, items=`[1,2]`\n    In the following option types error occurred:\n    OptionItem[items, type=`list`, default=`[]`]"
        );
    }

    #[test]
    fn the_default_holds_to_the_schema() {
        let bound = bind(&tool(), &json!({"n": "6"}), Profile::Default).unwrap();
        assert_eq!(Value::Object(bound), json!({"n": 6, "flag": false, "items": []}));
        assert_eq!(
            bind(&tool(), &json!({}), Profile::Default).unwrap_err().message,
            "the argument map has no `n`"
        );
        assert_eq!(
            bind(&tool(), &json!({"n": [1]}), Profile::Default).unwrap_err().message,
            "`n` must be an integer, found a list"
        );
    }

    #[test]
    fn scalars_are_read_from_texts() {
        assert_eq!(coerced("integer", &json!("5.0")), Some(json!(5)));
        assert_eq!(coerced("integer", &json!(5.5)), None);
        assert_eq!(coerced("integer", &json!(true)), Some(json!(1)));
        assert_eq!(coerced("number", &json!("1.5")), Some(json!(1.5)));
        assert_eq!(coerced("boolean", &json!("no")), Some(json!(false)));
        assert_eq!(coerced("string", &json!(5)), None);
        assert_eq!(coerced("number", &json!("nan")), None);
    }
}
