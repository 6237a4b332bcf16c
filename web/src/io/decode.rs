//! Types of the core from the answers of workers in JSON.
//!
//! The page and its workers are built together, so an answer always fits the type. A missing value, or a value of another kind,
//! becomes empty. Decoding cannot fail, so the compiler drops the error paths of derived code.
//!
//! Structs are read field by field in the order of their declaration, enums by the place of their names. Types may have
//! structs, enums without data, texts, booleans, `u32`, `u64`, `i64`, `f64`, options, lists, tuples, maps and JSON values. A tuple
//! is always whole. They may not have `alias`, a default that is not empty, or `flatten` without `skip_deserializing`: the tests
//! compare every type with `serde_json`.
//! Only `encoding::present`, which tells an absent field from null, may read a newtype where a field is absent.

use std::fmt;

use serde::de::value::U32Deserializer;
use serde::de::{
    DeserializeOwned, DeserializeSeed, Deserializer, EnumAccess, Error, IntoDeserializer, MapAccess,
    SeqAccess, VariantAccess, Visitor,
};
use serde::forward_to_deserialize_any;
use serde_json::{Value, map};

/// The value as a type of plain data. Enums have no data.
pub(crate) fn decode<T: DeserializeOwned>(value: &Value) -> T {
    match T::deserialize(Json(Some(value))) {
        Ok(decoded) => decoded,
        Err(error) => match error {},
    }
}

/// No value fails to fit.
#[derive(Debug)]
enum Never {}

impl fmt::Display for Never {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {}
    }
}

impl std::error::Error for Never {}

impl Error for Never {
    fn custom<T: fmt::Display>(_: T) -> Self {
        unreachable!("the page and its workers have the same types")
    }
}

/// A value, or an absent field.
#[derive(Clone, Copy)]
struct Json<'de>(Option<&'de Value>);

// Not inlined: each field calls them.
impl<'de> Json<'de> {
    fn value(self) -> &'de Value {
        self.0.unwrap_or(&Value::Null)
    }

    #[inline(never)]
    fn number(self) -> u64 {
        self.value().as_u64().unwrap_or_default()
    }

    #[inline(never)]
    fn text(self) -> String {
        self.value().as_str().unwrap_or_default().to_owned()
    }

    #[inline(never)]
    fn is_true(self) -> bool {
        *self.value() == Value::Bool(true)
    }

    #[inline(never)]
    fn place_in(self, names: &[&str]) -> u32 {
        let name = self.value().as_str().unwrap_or_default();
        names.iter().position(|known| *known == name).unwrap_or(names.len() - 1) as u32
    }
}

impl<'de> Deserializer<'de> for Json<'de> {
    type Error = Never;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Never> {
        match self.value() {
            Value::Null => visitor.visit_unit(),
            Value::Bool(value) => visitor.visit_bool(*value),
            Value::Number(number) => match (number.as_u64(), number.as_i64()) {
                (Some(number), _) => visitor.visit_u64(number),
                (None, Some(number)) => visitor.visit_i64(number),
                (None, None) => visitor.visit_f64(number.as_f64().unwrap_or_default()),
            },
            Value::String(text) => visitor.visit_str(text),
            Value::Array(_) => self.deserialize_seq(visitor),
            Value::Object(_) => self.deserialize_map(visitor),
        }
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Never> {
        visitor.visit_bool(self.is_true())
    }

    fn deserialize_u32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Never> {
        visitor.visit_u32(self.number() as u32)
    }

    fn deserialize_u64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Never> {
        visitor.visit_u64(self.number())
    }

    fn deserialize_i64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Never> {
        visitor.visit_i64(self.value().as_i64().unwrap_or_default())
    }

    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Never> {
        visitor.visit_f64(self.value().as_f64().unwrap_or_default())
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Never> {
        visitor.visit_string(self.text())
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Never> {
        self.deserialize_str(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Never> {
        if self.value().is_null() { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Never> {
        if self.0.is_none() { visitor.visit_none() } else { visitor.visit_newtype_struct(self) }
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Never> {
        visitor.visit_seq(Items(self.value().as_array().map(Vec::as_slice).unwrap_or_default().iter()))
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Never> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Never> {
        visitor
            .visit_map(Entries { entries: self.value().as_object().map(map::Map::iter), value: &Value::Null })
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Never> {
        visitor.visit_seq(Fields { object: self.value(), names: fields.iter() })
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Never> {
        visitor.visit_enum(Variant(self.place_in(variants)))
    }

    forward_to_deserialize_any! {
        i8 i16 i32 i128 u8 u16 u128 f32 char bytes byte_buf unit unit_struct tuple_struct identifier
        ignored_any
    }
}

/// The fields of an object in the order of the struct.
struct Fields<'de> {
    object: &'de Value,
    names: std::slice::Iter<'static, &'static str>,
}

impl<'de> SeqAccess<'de> for Fields<'de> {
    type Error = Never;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Never> {
        seed.deserialize(self.next_field()).map(Some)
    }
}

impl<'de> Fields<'de> {
    #[inline(never)]
    fn next_field(&mut self) -> Json<'de> {
        let name = self.names.next().copied().unwrap_or_default();
        Json(self.object.get(name))
    }
}

struct Items<'de>(std::slice::Iter<'de, Value>);

impl<'de> SeqAccess<'de> for Items<'de> {
    type Error = Never;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Never> {
        self.0.next().map(|item| seed.deserialize(Json(Some(item)))).transpose()
    }
}

struct Entries<'de> {
    entries: Option<map::Iter<'de>>,
    value: &'de Value,
}

impl<'de> MapAccess<'de> for Entries<'de> {
    type Error = Never;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Never> {
        let Some((key, value)) = self.entries.as_mut().and_then(Iterator::next) else { return Ok(None) };
        self.value = value;
        seed.deserialize(key.as_str().into_deserializer()).map(Some)
    }

    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value, Never> {
        seed.deserialize(Json(Some(self.value)))
    }
}

/// A variant without data, by its place.
struct Variant(u32);

impl<'de> EnumAccess<'de> for Variant {
    type Error = Never;
    type Variant = Self;

    fn variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<(T::Value, Self), Never> {
        let at: U32Deserializer<Never> = self.0.into_deserializer();
        Ok((seed.deserialize(at)?, self))
    }
}

impl<'de> VariantAccess<'de> for Variant {
    type Error = Never;

    fn unit_variant(self) -> Result<(), Never> {
        Ok(())
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, Never> {
        seed.deserialize(Json(None))
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Never> {
        Json(None).deserialize_seq(visitor)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Never> {
        visitor.visit_seq(Fields { object: &Value::Null, names: fields.iter() })
    }
}

#[cfg(test)]
mod tests;
