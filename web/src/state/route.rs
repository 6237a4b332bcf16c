//! The address: `#/<view>?d=<source>&s=<step>`, with every other key kept as it came.

use std::fmt;

/// Which screen the address names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum View {
    #[default]
    Gallery,
    Edit,
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
        // Views of later versions open in the one that can show their document.
        let gallery = matches!(view, "" | "gallery") && route.source == Source::None;
        route.view = if gallery || view == "gallery" { View::Gallery } else { View::Edit };
        route
    }
}

impl fmt::Display for Route {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.view {
            View::Gallery => "#/gallery",
            View::Edit => "#/edit",
        })?;
        let source = (self.source != Source::None).then(|| format!("d={}", self.source));
        let step = self.step.as_ref().map(|step| format!("s={}", encode(step)));
        for (at, pair) in source.iter().chain(&step).chain(&self.rest).enumerate() {
            write!(f, "{}{pair}", if at == 0 { '?' } else { '&' })?;
        }
        Ok(())
    }
}

impl Source {
    fn parse(value: &str) -> Self {
        match value.split_once(':') {
            Some(("ex", name)) => Source::Example(name.to_owned()),
            Some(("l", id)) => Source::Local(id.to_owned()),
            Some(("f", token)) => Source::Served(token.to_owned()),
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
            Source::Unknown(value) => f.write_str(&encode(value)),
        }
    }
}

fn encode(value: &str) -> String {
    let mut out = String::new();
    for byte in value.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~:/".contains(&byte) {
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
        assert_eq!(Route::parse("#/replay?d=ex:weather_query").view, View::Edit);
    }
}
