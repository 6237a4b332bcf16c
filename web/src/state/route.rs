//! The address: `#/<view>?d=<source>&s=<step>`, with every other key kept as it came.

use std::fmt;

/// Which screen the address names. All but the gallery are ways to look at the open document.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum View {
    #[default]
    Gallery,
    /// The run as a conversation to read.
    Read,
    Edit,
    /// The steps without the source.
    Replay,
    /// What several agents did, and what followed from what.
    Agents,
    /// What answers in the place of models, and a conversation with it.
    Handlers,
    /// Next to another document.
    Compare,
}

impl View {
    /// Those of documents, with their words in the address.
    pub(crate) const OF_DOCUMENTS: [(View, &'static str); 6] = [
        (View::Read, "read"),
        (View::Edit, "edit"),
        (View::Replay, "replay"),
        (View::Agents, "agents"),
        (View::Handlers, "handlers"),
        (View::Compare, "compare"),
    ];

    pub(crate) fn word(self) -> &'static str {
        Self::OF_DOCUMENTS.iter().find(|(view, _)| *view == self).map_or("gallery", |(_, word)| word)
    }
}

/// Where the document of an address comes from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum Source {
    /// The address names no document.
    #[default]
    None,
    /// `ex:<name>`
    Example(String),
    /// `l:<id>`, a document kept on this device.
    Local(String),
    /// `f:<token>`, the file of the program that serves the page.
    Served(String),
    /// `z1:<payload>`, the document itself; see [`super::inline`].
    Inline(String),
    /// `u:<address>`, a document of another host.
    Web(String),
    /// `r:<key>`, an earlier text of a document kept on this device.
    Earlier(String),
    /// Anything else, as it came.
    Unknown(String),
}

/// An address taken apart.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Route {
    pub(crate) view: View,
    pub(crate) source: Source,
    /// The step as [`super::link`] writes it.
    pub(crate) step: Option<String>,
    /// Keys this version does not know, raw.
    rest: Vec<String>,
}

impl Route {
    /// The address of `source` at its first step.
    pub(crate) fn edit(source: Source) -> Self {
        Self { view: View::Edit, source, ..Self::default() }
    }

    /// Reads a fragment with or without its `#`. Whatever is not an address is the gallery.
    pub(crate) fn parse(fragment: &str) -> Self {
        let fragment = fragment.trim_start_matches('#').trim_start_matches('/');
        let (view, query) = fragment.split_once('?').unwrap_or((fragment, ""));
        let mut route = Self::default();
        for pair in query.split('&').filter(|pair| !pair.is_empty()) {
            match pair.split_once('=') {
                Some(("d", value)) => route.source = Source::parse(&decode(value)),
                Some(("s", value)) => route.step = Some(decode(value)),
                _ => route.rest.push(pair.to_owned()),
            }
        }
        let known = View::OF_DOCUMENTS.iter().find(|(_, word)| *word == view).map(|(view, _)| *view);
        // Views of later versions open in the one that can show their document.
        let gallery = view == "gallery" || view.is_empty() && route.source == Source::None;
        route.view = known.unwrap_or(if gallery { View::Gallery } else { View::Edit });
        route
    }

    /// The value of a further key.
    pub(crate) fn key(&self, name: &str) -> Option<String> {
        let is_it = |pair: &&String| pair.split_once('=').is_some_and(|(key, _)| key == name);
        let pair = self.rest.iter().find(is_it)?;
        pair.split_once('=').map(|(_, value)| decode(value))
    }

    /// Whether a further key is `1`.
    pub(crate) fn is_set(&self, name: &str) -> bool {
        self.key(name).as_deref() == Some("1")
    }

    /// The same address with the keys of `before` that are about the page and not about a document.
    pub(super) fn dressed_as(mut self, before: &Self) -> Self {
        for name in ["embed", "theme", "lang"] {
            if let (Some(value), None) = (before.key(name), self.key(name)) {
                self = self.with_key(name, Some(&value));
            }
        }
        self
    }

    /// The same address with that value of a further key, or without the key.
    pub(crate) fn with_key(mut self, name: &str, value: Option<&str>) -> Self {
        let value = value.map(|value| format!("{name}={}", encode(value)));
        let at = self.rest.iter().position(|pair| pair.split('=').next() == Some(name));
        match (at, value) {
            (Some(at), Some(pair)) => self.rest.splice(at..=at, [pair]).for_each(drop),
            (Some(at), None) => drop(self.rest.remove(at)),
            (None, Some(pair)) => self.rest.push(pair),
            (None, None) => {}
        }
        self
    }

    /// The same document at the same step in another view.
    pub(crate) fn seen_in(&self, view: View) -> Self {
        Self { view, ..self.clone() }
    }
}

impl fmt::Display for Route {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#/{}", self.view.word())?;
        let source = (self.source != Source::None).then(|| format!("d={}", self.source));
        let step = self.step.as_ref().map(|step| format!("s={}", encode(step)));
        for (at, pair) in source.iter().chain(&step).chain(&self.rest).enumerate() {
            write!(f, "{}{pair}", if at == 0 { '?' } else { '&' })?;
        }
        Ok(())
    }
}

impl Source {
    pub(super) fn parse(value: &str) -> Self {
        match value.split_once(':') {
            Some(("ex", name)) => Source::Example(name.to_owned()),
            Some(("l", id)) => Source::Local(id.to_owned()),
            Some(("f", token)) => Source::Served(token.to_owned()),
            Some(("u", address)) => Source::Web(address.to_owned()),
            Some(("r", key)) => Source::Earlier(key.to_owned()),
            Some(("z1", payload)) => Source::Inline(payload.to_owned()),
            _ => Source::Unknown(value.to_owned()),
        }
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Source::None => Ok(()),
            Source::Example(name) => write!(f, "ex:{}", encode(name)),
            Source::Local(id) => write!(f, "l:{}", encode(id)),
            Source::Served(token) => write!(f, "f:{}", encode(token)),
            Source::Inline(payload) => write!(f, "{}{}", super::inline::VERSION, encode(payload)),
            Source::Web(address) => write!(f, "u:{}", encode(address)),
            Source::Earlier(key) => write!(f, "r:{}", encode(key)),
            Source::Unknown(value) => f.write_str(&encode(value)),
        }
    }
}

fn encode(value: &str) -> String {
    let mut out = String::new();
    for byte in value.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~:/,".contains(&byte) {
            out.push(char::from(byte));
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
    out
}

/// A `%` that starts no valid escape stays as it is.
fn decode(value: &str) -> String {
    let mut bytes = Vec::with_capacity(value.len());
    let mut rest = value.as_bytes();
    while let Some((&byte, tail)) = rest.split_first() {
        let escaped = tail.get(..2).and_then(|hex| std::str::from_utf8(hex).ok());
        match escaped.and_then(|hex| u8::from_str_radix(hex, 16).ok()).filter(|_| byte == b'%') {
            Some(code) => {
                bytes.push(code);
                rest = tail.get(2..).unwrap_or_default();
            }
            None => {
                bytes.push(byte);
                rest = tail;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn stays(fragment: &str) {
        assert_eq!(Route::parse(fragment).to_string(), fragment);
    }

    #[test]
    fn an_address_is_read_and_written_alike() {
        stays("#/gallery");
        stays("#/edit?d=ex:weather_query&s=t3");
        stays("#/edit?d=l:01HQXXX&s=t2.t1&theme=dark&x");
        stays("#/edit?d=f:q-T_9&s=t2");
        stays("#/edit?d=z1:eJyrVg&s=t-1");
        stays("#/edit?d=u:https://example.com/runs/a.yaml%3Fx%3D1%262&s=t1");
        stays("#/compare?d=l:01HQXXX&b=r:01HQXXX/01HQYYY");
        stays("#/replay?d=ex:weather_query&s=t3");
        stays("#/handlers?d=ex:handler_fsm");
        stays("#/agents?d=ex:event_log_dag&o=rec&e=46bd969b-9530-4e7e-a4af-29b2a01eb7a2");
        stays("#/edit?d=ex:weather_query&s=t3&i=state&j=context.count&sc=time");
        stays("#/compare?d=ex:weather_query&s=t3&b=ex:simple_greeting&ig=usage,ids");
    }

    #[test]
    fn further_keys_are_changed_one_by_one() {
        let route = Route::parse("#/edit?d=ex:a&f=role:tool&x&o=topo");
        assert_eq!(route.key("f").as_deref(), Some("role:tool"));
        assert_eq!(route.key("x"), None);
        let other = route.with_key("f", Some("two words")).with_key("o", None).with_key("b", Some("ex:b"));
        assert_eq!(other.to_string(), "#/edit?d=ex:a&f=two%20words&x&b=ex:b");
        assert_eq!(other.key("f").as_deref(), Some("two words"));
        assert_eq!(other.seen_in(View::Replay).to_string(), "#/replay?d=ex:a&f=two%20words&x&b=ex:b");
    }

    #[test]
    fn the_tab_of_the_inspector_and_a_path_of_the_state_are_keys() {
        let route = Route::parse("#/edit?d=ex:a&i=llm&j=items%5B0%5D.%22x%22");
        assert_eq!(
            (route.key("i").as_deref(), route.key("j").as_deref()),
            (Some("llm"), Some("items[0].\"x\""))
        );
        let route = route.with_key("i", None).with_key("j", Some("a b"));
        assert_eq!(route.to_string(), "#/edit?d=ex:a&j=a%20b");
    }

    #[test]
    fn what_is_about_the_page_goes_along() {
        let before = Route::parse("#/edit?d=ex:a&s=t1&embed=1&ro=1&theme=dark");
        assert!(before.is_set("embed") && before.is_set("ro") && !before.is_set("theme"));
        let next = Route::parse("#/edit?d=ex:b&theme=light").dressed_as(&before);
        assert_eq!(next.to_string(), "#/edit?d=ex:b&theme=light&embed=1");
    }

    #[test]
    fn escapes_are_undone() {
        let route = Route::parse("#/edit?d=ex%3Aweather&s=t2%2Et1");
        assert_eq!(route.source, Source::Example("weather".to_owned()));
        assert_eq!(route.step.as_deref(), Some("t2.t1"));
        assert_eq!(decode("100%"), "100%");
        assert_eq!(decode("%é"), "%é");
    }

    #[test]
    fn no_address_is_the_gallery() {
        assert_eq!(Route::parse("").view, View::Gallery);
        assert_eq!(Route::parse("#").view, View::Gallery);
        assert_eq!(Route::parse("#/later?d=ex:weather_query").view, View::Edit);
    }
}
