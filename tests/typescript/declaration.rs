//! What `ts-rs` writes, as a tree.

/// A type of TypeScript.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Type {
    /// A name or a literal.
    Word(String),
    /// `T[]`.
    List(Box<Type>),
    /// `[A, B]`.
    Tuple(Vec<Type>),
    /// `{ [key: K]: V }`; whether a key may be absent.
    Map(Box<Type>, bool, Box<Type>),
    /// `{ a: A }`.
    Object(Vec<Member>),
    /// `A | B`.
    Union(Vec<Type>),
    /// `A & B`.
    Both(Vec<Type>),
}

/// A key of an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Member {
    pub(crate) docs: String,
    pub(crate) key: String,
    pub(crate) is_optional: bool,
    pub(crate) value: Type,
}

impl Type {
    /// The type of an object with a flattened map, as one object with any keys. The keys of the map have an unknown type, as
    /// it must cover the other keys too.
    pub(crate) fn with_open_keys(self) -> Self {
        let Type::Both(all) = &self else { return self };
        let [Type::Object(members), Type::Map(key, _, _)] = all.as_slice() else { return self };
        if **key != Type::Word("string".to_owned()) {
            return self;
        }
        let open = Member {
            docs: "/** Other keys. */".to_owned(),
            key: "[key: string]".to_owned(),
            is_optional: false,
            value: Type::Word("unknown".to_owned()),
        };
        Type::Object(members.iter().cloned().chain([open]).collect())
    }
}

/// Reads a type.
pub(crate) fn parse(text: &str) -> Type {
    let mut reader = Reader { rest: text };
    let found = reader.union();
    reader.space();
    assert!(reader.rest.is_empty(), "cannot be read from `{}`: {text}", reader.rest);
    found
}

struct Reader<'a> {
    rest: &'a str,
}

impl<'a> Reader<'a> {
    fn space(&mut self) {
        self.rest = self.rest.trim_start();
    }

    fn take(&mut self, mark: &str) -> bool {
        self.space();
        let rest = self.rest.strip_prefix(mark);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn expect(&mut self, mark: &str) {
        assert!(self.take(mark), "`{mark}` is missing before `{}`", self.rest);
    }

    fn union(&mut self) -> Type {
        self.take("|");
        let mut all = vec![self.both()];
        while self.take("|") {
            all.push(self.both());
        }
        let flat = all.into_iter().flat_map(|one| match one {
            Type::Union(inner) => inner,
            one => vec![one],
        });
        let mut all: Vec<Type> = Vec::new();
        for one in flat {
            if !all.contains(&one) {
                all.push(one);
            }
        }
        // Null is JSON.
        if all.contains(&Type::Word(crate::collect::JSON.to_owned())) {
            all.retain(|one| *one != Type::Word("null".to_owned()));
        }
        if all.len() == 1 { all.remove(0) } else { Type::Union(all) }
    }

    fn both(&mut self) -> Type {
        let mut all = vec![self.postfix()];
        while self.take("&") {
            all.push(self.postfix());
        }
        if all.len() == 1 { all.remove(0) } else { Type::Both(all) }
    }

    fn postfix(&mut self) -> Type {
        let mut found = self.primary();
        while self.take("[]") {
            found = Type::List(Box::new(found));
        }
        found
    }

    fn primary(&mut self) -> Type {
        if self.take("(") {
            let inner = self.union();
            self.expect(")");
            return inner;
        }
        if self.take("[") {
            let mut items = Vec::new();
            while !self.take("]") {
                items.push(self.union());
                self.take(",");
            }
            return Type::Tuple(items);
        }
        if self.take("{") {
            return self.braces();
        }
        let word = self.word();
        if word == "Array" && self.take("<") {
            let item = self.union();
            self.expect(">");
            return Type::List(Box::new(item));
        }
        Type::Word(if word == "JsonValue" { crate::collect::JSON.to_owned() } else { word })
    }

    fn braces(&mut self) -> Type {
        if self.take("[key in ") {
            let key = self.union();
            self.expect("]");
            let is_optional = self.take("?");
            self.expect(":");
            let value = self.union();
            self.take(",");
            self.expect("}");
            return Type::Map(Box::new(key), is_optional, Box::new(value));
        }
        let mut members = Vec::new();
        while !self.take("}") {
            let mut docs = "";
            self.space();
            if self.rest.starts_with("/**") {
                let end = self.rest.find("*/").expect("comments end") + 2;
                (docs, self.rest) = self.rest.split_at(end);
            }
            let key = self.word();
            let is_optional = self.take("?");
            self.expect(":");
            let value = self.union();
            self.take(",");
            members.push(Member { docs: docs.to_owned(), key, is_optional, value });
        }
        Type::Object(members)
    }

    /// A name, or a literal with single quotes.
    fn word(&mut self) -> String {
        self.space();
        if let Some(quote) = self.rest.chars().next().filter(|c| matches!(c, '"' | '\'')) {
            let (text, rest) = self.rest[1..].split_once(quote).expect("texts end");
            self.rest = rest;
            return format!("'{text}'");
        }
        let end =
            self.rest.find(|c: char| !c.is_alphanumeric() && !"_$.".contains(c)).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        assert!(!word.is_empty(), "no type before `{rest}`");
        self.rest = rest;
        word.to_owned()
    }
}

impl Type {
    /// Calls `f` with each name in the type.
    pub(crate) fn words<'t>(&'t self, f: &mut impl FnMut(&'t str)) {
        match self {
            Type::Word(word) => f(word),
            Type::List(item) => item.words(f),
            Type::Map(key, _, value) => {
                key.words(f);
                value.words(f);
            }
            Type::Tuple(all) | Type::Union(all) | Type::Both(all) => all.iter().for_each(|one| one.words(f)),
            Type::Object(members) => members.iter().for_each(|member| member.value.words(f)),
        }
    }
}
