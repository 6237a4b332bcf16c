//! JSON that the code writes itself.

use serde_json::{Map, Value};

/// A [`Value`] from JSON with expressions in it, like `serde_json::json!`. That macro takes some 100 bytes of wasm for each key.
macro_rules! json {
    ({}) => { ::serde_json::Value::Object(::serde_json::Map::new()) };
    ([]) => { ::serde_json::Value::Array(::std::vec::Vec::new()) };
    (null) => { ::serde_json::Value::Null };
    ({ $($entries:tt)* }) => {{
        let mut map = ::serde_json::Map::new();
        $crate::text::json_entries!(map, $($entries)*);
        ::serde_json::Value::Object(map)
    }};
    ([ $($items:tt)* ]) => {{
        let mut list = ::std::vec::Vec::new();
        $crate::text::json_items!(list, $($items)*);
        ::serde_json::Value::Array(list)
    }};
    // A type of the core that cannot be written as JSON has no place here; it would be null.
    ($value:expr) => { ::serde_json::to_value(&$value).unwrap_or_default() };
}

/// Adds the entries of a map, each with a comma after it or at the end.
macro_rules! json_entries {
    ($map:ident $(,)?) => {};
    ($map:ident, $key:tt : null $(, $($rest:tt)*)?) => { $crate::text::json_entries!(@ $map, $key, null, $($($rest)*)?) };
    ($map:ident, $key:tt : { $($inner:tt)* } $(, $($rest:tt)*)?) => {
        $crate::text::json_entries!(@ $map, $key, { $($inner)* }, $($($rest)*)?)
    };
    ($map:ident, $key:tt : [ $($inner:tt)* ] $(, $($rest:tt)*)?) => {
        $crate::text::json_entries!(@ $map, $key, [ $($inner)* ], $($($rest)*)?)
    };
    ($map:ident, $key:tt : $value:expr $(, $($rest:tt)*)?) => { $crate::text::json_entries!(@ $map, $key, $value, $($($rest)*)?) };
    (@ $map:ident, $key:tt, $value:tt, $($rest:tt)*) => {
        $crate::text::JsonMap::put(&mut $map, $key, $crate::text::json!($value));
        $crate::text::json_entries!($map, $($rest)*);
    };
}

/// Adds the items of a list.
macro_rules! json_items {
    ($list:ident $(,)?) => {};
    ($list:ident, null $(, $($rest:tt)*)?) => { $crate::text::json_items!(@ $list, null, $($($rest)*)?) };
    ($list:ident, { $($inner:tt)* } $(, $($rest:tt)*)?) => {
        $crate::text::json_items!(@ $list, { $($inner)* }, $($($rest)*)?)
    };
    ($list:ident, [ $($inner:tt)* ] $(, $($rest:tt)*)?) => {
        $crate::text::json_items!(@ $list, [ $($inner)* ], $($($rest)*)?)
    };
    ($list:ident, $value:expr $(, $($rest:tt)*)?) => { $crate::text::json_items!(@ $list, $value, $($($rest)*)?) };
    (@ $list:ident, $value:tt, $($rest:tt)*) => {
        $crate::text::push_json(&mut $list, $crate::text::json!($value));
        $crate::text::json_items!($list, $($rest)*);
    };
}

pub(crate) use {json, json_entries, json_items};

/// A map of JSON.
pub(crate) trait JsonMap {
    /// Sets a key.
    fn put(&mut self, key: &str, value: Value);
    /// Sets a key, if there is a value.
    fn put_some(&mut self, key: &str, value: Option<Value>);
}

impl JsonMap for Map<String, Value> {
    /// It is a function of its own, so that hundreds of calls are short as wasm.
    #[inline(never)]
    fn put(&mut self, key: &str, value: Value) {
        self.insert(key.to_owned(), value);
    }

    #[inline(never)]
    fn put_some(&mut self, key: &str, value: Option<Value>) {
        if let Some(value) = value {
            self.put(key, value);
        }
    }
}

/// Adds an item to a list, for the same reason.
#[inline(never)]
pub(crate) fn push_json(list: &mut Vec<Value>, value: Value) {
    list.push(value);
}

#[cfg(test)]
mod tests {
    #[test]
    fn it_is_what_serde_json_writes() {
        let (name, list) = ("a \"name\"".to_owned(), vec![1, 2]);
        let ours = json!({
            "name": name, "list": list, "none": null, "empty": {}, "nothing": [], "sum": list[0] + 1,
            "nested": { "deep": [null, {"a": [true, -1.5]}, name, [[]],], "last": Option::<u8>::None, },
        });
        let theirs = serde_json::json!({
            "name": name, "list": list, "none": null, "empty": {}, "nothing": [], "sum": list[0] + 1,
            "nested": { "deep": [null, {"a": [true, -1.5]}, name, [[]],], "last": Option::<u8>::None, },
        });
        assert_eq!(ours.to_string(), theirs.to_string());
        assert_eq!(json!(name).to_string(), serde_json::json!(name).to_string());
        assert_eq!(json!("b"), "b");
    }
}
