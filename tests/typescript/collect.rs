//! The types that are reached from the roots.

use std::collections::{BTreeMap, BTreeSet};

use ts_rs::{Config, TS, TypeVisitor};

use crate::declaration::{Type, parse};

/// A type with a name.
pub(crate) struct Declared {
    /// Of what stage of the core it is.
    pub(crate) stage: String,
    /// Its documentation, as it is in the Rust source.
    pub(crate) docs: String,
    /// What it is.
    pub(crate) body: Type,
}

/// The types by their names in TypeScript.
#[derive(Default)]
pub(crate) struct Collected {
    pub(crate) types: BTreeMap<String, Declared>,
    /// Which Rust type has the name.
    pub(crate) rust: BTreeMap<String, &'static str>,
    /// All types that were visited, those without a name included.
    visited: BTreeSet<&'static str>,
}

impl Collected {
    /// Takes a type and all that it refers to.
    pub(crate) fn root<T: TS + 'static + ?Sized>(&mut self) {
        self.visit::<T>();
    }

    /// Takes a list of words that is data in the core.
    pub(crate) fn words<'a>(
        &mut self,
        stage: &str,
        name: &str,
        docs: &str,
        words: impl Iterator<Item = &'a str>,
    ) {
        let body = Type::Union(words.map(|word| Type::Word(format!("'{word}'"))).collect());
        let declared = Declared { stage: stage.to_owned(), docs: docs.to_owned(), body };
        self.types.insert(name.to_owned(), declared);
    }

    /// The name in TypeScript of a type that documentation names as Rust does.
    pub(crate) fn renamed<'a>(&'a self, rust: &'a str) -> &'a str {
        let is_it = |path: &str| path.rsplit("::").next() == Some(rust);
        let found = self.rust.iter().find(|(_, path)| is_it(path));
        found.map_or(rust, |(name, _)| name)
    }
}

/// The file that a type comes into: its stage of the core, and of the many types of `view` their module.
fn stage(rust: &str) -> String {
    let parts: Vec<&str> = rust.split("::").collect();
    match parts.as_slice() {
        [_, "view", module, _] => format!("view-{}", module.replace('_', "-")),
        [_, stage, ..] => (*stage).to_owned(),
        _ => panic!("`{rust}` is no type of the core"),
    }
}

/// The name of a JSON value; `ts-rs` names it and gives no documentation.
pub(crate) const JSON: &str = "Json";

impl TypeVisitor for Collected {
    fn visit<T: TS + 'static + ?Sized>(&mut self) {
        let rust = std::any::type_name::<T>();
        if !self.visited.insert(rust) {
            return;
        }
        let config = Config::new().with_large_int("number");
        if T::output_path().is_some() {
            let name = T::ident(&config);
            let (name, stage) = match name.as_str() {
                "JsonValue" => (JSON.to_owned(), "json".to_owned()),
                _ => (name, stage(rust)),
            };
            match self.rust.insert(name.clone(), rust) {
                Some(_) if name == JSON => return,
                Some(before) => panic!("`{before}` and `{rust}` are both named `{name}` in TypeScript"),
                None => {}
            }
            let text = T::decl(&config);
            let (_, body) = text.split_once(" = ").unwrap_or_else(|| panic!("no declaration: {text}"));
            let body = parse(body.trim_end_matches(';')).with_open_keys();
            let docs = T::docs().unwrap_or_default();
            self.types.insert(name, Declared { stage, docs, body });
        }
        T::visit_dependencies(self);
        T::visit_generics(self);
    }
}
