//! Parts of a content that are no text, in the vendors' forms.

use crate::text::{JsonMap, json};
use serde_json::{Map, Value};

/// A part in the normal form of [`super::part`]: its kind and the place of its bytes.
#[derive(Debug)]
pub(crate) struct Media<'v> {
    part: &'v Value,
}

impl<'v> Media<'v> {
    pub(crate) fn new(part: &'v Value) -> Self {
        Self { part }
    }

    fn text(&self, key: &str) -> Option<&'v str> {
        self.part.get(key).and_then(Value::as_str)
    }

    /// `image`, `audio`, `video`, `file`, or a kind that only one framework knows.
    pub(crate) fn kind(&self) -> &'v str {
        self.text("type").unwrap_or("")
    }

    /// Its type, as in `image/png`; empty when nothing tells.
    pub(crate) fn media_type(&self) -> &'v str {
        self.text("media_type").unwrap_or("")
    }

    /// Its bytes in base64, padded to groups of four as vendors require.
    pub(crate) fn data(&self) -> Option<String> {
        let data = self.text("data")?;
        Some(format!("{data}{}", "=".repeat(data.len().next_multiple_of(4) - data.len())))
    }

    pub(crate) fn url(&self) -> Option<&'v str> {
        self.text("url")
    }

    /// The number of characters of text before it.
    pub(crate) fn at(&self) -> usize {
        self.part.get("at").and_then(Value::as_u64).and_then(|at| usize::try_from(at).ok()).unwrap_or(0)
    }

    /// The text shown in its place.
    pub(crate) fn name(&self) -> String {
        let kind = if self.kind().is_empty() { "part" } else { self.kind() };
        let more: Vec<&str> = [self.text("filename").unwrap_or(""), self.media_type()]
            .into_iter()
            .filter(|one| !one.is_empty())
            .collect();
        if more.is_empty() { format!("[{kind}]") } else { format!("[{kind}: {}]", more.join(", ")) }
    }

    /// An address that holds the bytes, or leads to them.
    pub(crate) fn address(&self) -> Option<String> {
        let inline = || {
            let media_type =
                if self.media_type().is_empty() { "application/octet-stream" } else { self.media_type() };
            Some(format!("data:{media_type};base64,{}", self.data()?))
        };
        self.url().map(str::to_owned).or_else(inline)
    }

    /// As a part of a chat completion; `None` if that has no form for it.
    pub(crate) fn openai(&self) -> Option<Value> {
        let reference = self.text("reference");
        match self.kind() {
            "image" => {
                let mut image = Map::from_iter([("url".to_owned(), self.address()?.into())]);
                image.put_some("detail", self.text("detail").map(Value::from));
                Some(json!({"type": "image_url", "image_url": image}))
            }
            "audio" => {
                let format = match self.media_type() {
                    "audio/wav" | "audio/x-wav" | "audio/wave" => "wav",
                    "audio/mpeg" | "audio/mp3" => "mp3",
                    _ => return None,
                };
                Some(json!({"type": "input_audio", "input_audio": {"data": self.data()?, "format": format}}))
            }
            "file" => {
                let mut file = Map::new();
                if let Some(id) = reference {
                    file.put("file_id", id.into());
                } else {
                    self.data()?;
                    file.put("file_data", self.address()?.into());
                    file.put("filename", self.text("filename").unwrap_or("file").into());
                }
                Some(json!({"type": "file", "file": file}))
            }
            _ => None,
        }
    }

    /// As a block of a message of Anthropic; `None` if that has no form for it.
    pub(crate) fn anthropic(&self) -> Option<Value> {
        const IMAGES: [&str; 4] = ["image/jpeg", "image/png", "image/gif", "image/webp"];
        let source = match (self.data(), self.url(), self.text("text")) {
            (Some(data), ..) => json!({"type": "base64", "media_type": self.media_type(), "data": data}),
            (_, Some(url), _) if !url.starts_with("data:") => json!({"type": "url", "url": url}),
            (_, _, Some(text)) => json!({"type": "text", "media_type": "text/plain", "data": text}),
            _ => return None,
        };
        let is_inline = self.data().is_some();
        let kind = match self.kind() {
            "image" if !is_inline || IMAGES.contains(&self.media_type()) => "image",
            "file" if !is_inline || self.media_type() == "application/pdf" => "document",
            _ => return None,
        };
        let mut block = json!({"type": kind, "source": source});
        if let (Value::Object(block), "document", Some(name)) = (&mut block, kind, self.text("filename")) {
            block.put("title", name.into());
        }
        Some(block)
    }
}

/// A text with its parts at their places: `text` makes a piece of text, `part` one of a part, or `None` to
/// use its name in brackets. The second value lists the parts replaced by their names.
pub(crate) fn mixed(
    text: &str,
    parts: &[Value],
    make: impl Fn(&Media<'_>) -> Option<Value>,
) -> (Vec<Value>, bool) {
    let piece = |text: String| json!({"type": "text", "text": text});
    let mut out: Vec<Value> = Vec::new();
    let mut rest = text;
    let (mut chars_read, mut is_whole, mut before) = (0, true, String::new());
    for part in parts {
        let media = Media::new(part);
        let count = media.at().saturating_sub(chars_read);
        let cut = rest.char_indices().nth(count).map_or(rest.len(), |(at, _)| at);
        let (head, tail) = rest.split_at_checked(cut).unwrap_or((rest, ""));
        before.push_str(head);
        (rest, chars_read) = (tail, chars_read + count);
        match make(&media) {
            Some(made) => {
                if !before.is_empty() {
                    out.push(piece(std::mem::take(&mut before)));
                }
                out.push(made);
            }
            None => {
                is_whole = false;
                before.push_str(&media.name());
            }
        }
    }
    before.push_str(rest);
    if !before.is_empty() {
        out.push(piece(before));
    }
    (out, is_whole)
}
