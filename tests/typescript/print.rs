//! The files of the package.

use std::collections::{BTreeMap, BTreeSet};

use crate::collect::{Collected, Declared, JSON};
use crate::declaration::{Member, Type};
use crate::doc::comment;

/// The longest line.
const WIDTH: usize = 120;

/// The files by their names.
pub(crate) fn files(all: &Collected) -> BTreeMap<String, String> {
    let stages: BTreeSet<&str> = all.types.values().map(|declared| declared.stage.as_str()).collect();
    let index: String = stages.iter().map(|stage| format!("export type * from './{stage}.ts'\n")).collect();
    let index = ("index.ts".to_owned(), format!("// Written by the tests from the Rust types.\n{index}"));
    stages.into_iter().map(|stage| (format!("{stage}.ts"), file(all, stage))).chain([index]).collect()
}

fn file(all: &Collected, stage: &str) -> String {
    let mut imports: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    let mut types = String::new();
    for (name, declared) in all.types.iter().filter(|(_, declared)| declared.stage == stage) {
        let (base, text) = declaration(all, name, declared);
        types.push_str(&format!("\n{text}"));
        let mut import = |word: &str| {
            if let Some((word, other)) =
                all.types.get_key_value(word).filter(|(_, other)| other.stage != stage)
            {
                imports.entry(&other.stage).or_default().insert(word);
            }
        };
        match base {
            Some((base, own)) => {
                import(base);
                own.iter().for_each(|member| member.value.words(&mut import));
            }
            None => declared.body.words(&mut import),
        }
    }
    let import = |(stage, names): (&str, BTreeSet<&str>)| {
        let names = names.into_iter().collect::<Vec<_>>().join(", ");
        format!("import type {{ {names} }} from './{stage}.ts'\n")
    };
    let imports: String = imports.into_iter().map(import).collect();
    format!("// Written by the tests from the Rust types.\n{imports}{types}")
}

type Base<'a> = Option<(&'a str, Vec<Member>)>;

fn declaration<'a>(all: &'a Collected, name: &str, declared: &Declared) -> (Base<'a>, String) {
    let docs = if name == JSON { "Any value that JSON can hold." } else { &declared.docs };
    let docs = comment(all, docs, "");
    let Type::Object(members) = &declared.body else {
        let head = format!("export type {name} =");
        return (None, format!("{docs}{head}{}\n", alias(all, &declared.body, head.len())));
    };
    let base = base(all, name, members);
    let (extends, own) = match &base {
        Some((base, own)) => (format!(" extends {base}"), own.as_slice()),
        None => (String::new(), members.as_slice()),
    };
    let own: String = own.iter().map(|member| print_member(all, member, "  ")).collect();
    let text = format!("{docs}export interface {name}{extends} {{\n{own}}}\n");
    (base, text)
}

/// A flattened field adds the interface of its type: the largest one with all its members among these.
fn base<'a>(all: &'a Collected, name: &str, members: &[Member]) -> Base<'a> {
    let candidates = all.types.iter().filter(|(other, _)| *other != name).filter_map(|(other, declared)| {
        let Type::Object(inner) = &declared.body else { return None };
        let at = members.windows(inner.len().max(1)).position(|window| window == inner)?;
        let own = members[..at].iter().chain(&members[at + inner.len()..]).cloned().collect();
        Some((other.as_str(), inner.len(), own))
    });
    candidates.max_by_key(|(_, len, _)| *len).map(|(other, _, own)| (other, own))
}

fn print_member(all: &Collected, member: &Member, indent: &str) -> String {
    let mark = if member.is_optional { "?" } else { "" };
    let docs = comment(all, &member.docs, indent);
    format!("{docs}{indent}{}{mark}: {}\n", member.key, print(all, &member.value, indent))
}

/// The text after `=`.
fn alias(all: &Collected, body: &Type, before: usize) -> String {
    let line = print(all, body, "");
    match body {
        Type::Union(members) if line.contains('\n') || before + 1 + line.len() > WIDTH => {
            members.iter().map(|one| format!("\n  | {}", print(all, one, "    "))).collect()
        }
        _ => format!(" {line}"),
    }
}

fn print(all: &Collected, shown: &Type, indent: &str) -> String {
    let join = |items: &[Type], by: &str| {
        items.iter().map(|one| print(all, one, indent)).collect::<Vec<_>>().join(by)
    };
    match shown {
        Type::Word(word) => word.clone(),
        Type::List(item) => match **item {
            Type::Union(_) | Type::Both(_) => format!("({})[]", print(all, item, indent)),
            _ => format!("{}[]", print(all, item, indent)),
        },
        Type::Tuple(items) => format!("[{}]", join(items, ", ")),
        Type::Map(key, is_optional, value) => match (print(all, key, indent).as_str(), *is_optional) {
            ("string", _) => format!("{{ [key: string]: {} }}", print(all, value, indent)),
            (key, true) => format!("{{ [key in {key}]?: {} }}", print(all, value, indent)),
            (key, false) => format!("{{ [key in {key}]: {} }}", print(all, value, indent)),
        },
        Type::Object(members) if members.is_empty() => "{}".to_owned(),
        Type::Object(members) => {
            if members.iter().all(|member| member.docs.is_empty()) {
                let lines = members.iter().map(|member| print_member(all, member, "").trim_end().to_owned());
                let line = format!("{{ {} }}", lines.collect::<Vec<_>>().join("; "));
                if indent.len() + line.len() <= WIDTH && !line.contains('\n') {
                    return line;
                }
            }
            let deeper = format!("{indent}  ");
            let lines: String = members.iter().map(|member| print_member(all, member, &deeper)).collect();
            format!("{{\n{lines}{indent}}}")
        }
        Type::Union(items) => join(items, " | "),
        Type::Both(items) => join(items, " & "),
    }
}
