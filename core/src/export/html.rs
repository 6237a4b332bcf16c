//! One self-contained page of HTML: no request, light and dark by the reader's own setting. Every text of the
//! run is escaped, and the page's policy forbids everything but its own styles and its one script, by hash:
//! without it, only the navigation by keys is missing.

use super::formats::Format;
use super::page::{Block, page};
use super::{Exported, Settings};
use crate::replay::Timeline;

pub(super) static FORMAT: Format = Format {
    name: "html",
    title: "HTML page",
    purpose: "One file for any browser; step through it with J and K",
    description: "a page for people",
    file: ("", ".html"),
    ..Format::BASE
};

const HEAD: &str = "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-qkmrJnZfed1nW2euM4S1nUgkMIVJYEmgUJ8F4lqBvX4='; base-uri 'none'; form-action 'none'\">\n\
<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta name=\"referrer\" content=\"no-referrer\">\n";

const STYLE: &str = "\
:root{color-scheme:light dark;--edge:light-dark(#d0d4da,#3a4048);--soft:light-dark(#f5f6f8,#1c2026);--faint:light-dark(#565d66,#a2a9b3)}\n\
body{margin:0 auto;max-width:60rem;padding:1rem;font:1rem/1.5 system-ui,sans-serif;background:light-dark(#fff,#14171b);color:light-dark(#16191d,#e6e9ed)}\n\
h1{font-size:1.5rem}h2{font-size:1rem;margin:0}dl{display:grid;grid-template-columns:max-content 1fr;gap:.2rem 1rem}dd{margin:0;overflow-wrap:anywhere}\n\
article{border:1px solid var(--edge);border-radius:.4rem;padding:.6rem .9rem;margin:.6rem 0}\n\
article.hidden{border-style:dashed}article.hidden h2::after{content:\" (hidden)\";font-weight:normal}\n\
.remarks{color:var(--faint);font-size:.875rem;margin:.1rem 0}.content{white-space:pre-wrap;overflow-wrap:anywhere;margin:.4rem 0}\n\
pre{background:var(--soft);padding:.6rem;overflow:auto;margin:.3rem 0;border-radius:.3rem}summary{cursor:pointer}\n\
article[aria-current]{outline:2px solid light-dark(#0b5cad,#6cb1ff);outline-offset:2px}article{scroll-margin:1rem}\n\
section.inner{border-left:.25rem solid var(--edge);padding-left:.8rem;margin-left:.4rem}\n";

/// Goes from message to message by `j` and `k`. Its hash is in the policy of `HEAD`.
const SCRIPT: &str = "\
const steps=[...document.querySelectorAll(\"article\")];let at=-1;\n\
addEventListener(\"keydown\",(event)=>{\n\
if(event.ctrlKey||event.metaKey||event.altKey)return;\n\
const to={j:at+1,k:at-1}[event.key];\n\
if(to===undefined||!steps[to])return;\n\
event.preventDefault();steps[at]?.removeAttribute(\"aria-current\");at=to;\n\
steps[at].setAttribute(\"aria-current\",\"step\");steps[at].focus();\n\
});\n";

/// A text of more characters than this is folded.
const LONG: usize = 2000;

pub(super) fn write(timeline: &Timeline, settings: &Settings) -> Exported {
    let page = page(timeline, settings.text.as_deref().unwrap_or_default());
    let title = escaped(&page.title);
    let mut out = format!(
        "{HEAD}<title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<header>\n<h1>{title}</h1>\n</header>\n<main>\n"
    );
    // Messages do not nest, but runs inside a message do.
    let mut open: Vec<&str> = Vec::new();
    for block in &page.blocks {
        match block {
            Block::Facts(facts) => {
                if !facts.is_empty() {
                    out.push_str("<dl>\n");
                    for (key, value) in facts {
                        out.push_str(&format!("<dt>{}</dt><dd>{}</dd>\n", escaped(key), escaped(value)));
                    }
                    out.push_str("</dl>\n");
                }
            }
            Block::Message { title, remarks, hidden } => {
                if open.last() == Some(&"article") {
                    open.pop();
                    out.push_str("</article>\n");
                }
                open.push("article");
                let class = if *hidden { " class=\"hidden\"" } else { "" };
                out.push_str(&format!("<article{class} tabindex=\"-1\">\n<h2>{}</h2>\n", escaped(title)));
                if !remarks.is_empty() {
                    out.push_str(&format!("<p class=\"remarks\">{}</p>\n", escaped(&remarks.join(" · "))));
                }
            }
            Block::Text(text) if text.len() > LONG => folded(&mut out, "Text", text),
            Block::Text(text) => {
                out.push_str(&format!("<div class=\"content\" dir=\"auto\">{}</div>\n", escaped(text)))
            }
            Block::Data { title, text } if title.is_empty() && text.len() <= LONG => {
                out.push_str(&format!("<pre>{}</pre>\n", escaped(text)));
            }
            Block::Data { title, text } => {
                folded(&mut out, if title.is_empty() { "Data" } else { title }, text)
            }
            Block::Begin(title) => {
                open.push("section");
                let title = escaped(title);
                out.push_str(&format!("<section class=\"inner\" aria-label=\"{title}\">\n<p>{title}</p>\n"));
            }
            Block::End => {
                while let Some(element) = open.pop() {
                    out.push_str(&format!("</{element}>\n"));
                    if element == "section" {
                        break;
                    }
                }
            }
        }
    }
    while let Some(element) = open.pop() {
        out.push_str(&format!("</{element}>\n"));
    }
    out.push_str(&format!("</main>\n<script>{SCRIPT}</script>\n</body>\n</html>\n"));
    Exported { text: out, losses: page.losses.finish() }
}

/// A text under its title: short ones are open.
fn folded(out: &mut String, title: &str, text: &str) {
    let open = if text.len() <= LONG { " open" } else { "" };
    out.push_str(&format!(
        "<details{open}><summary>{}</summary><pre>{}</pre></details>\n",
        escaped(title),
        escaped(text)
    ));
}

/// A text without markup, in content and in attributes.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            _ => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use sha2::{Digest, Sha256};

    use super::{HEAD, SCRIPT};

    #[test]
    fn the_policy_names_the_script() {
        let table = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        let mut hash = Sha256::digest(SCRIPT.as_bytes()).to_vec();
        // 32 bytes are ten groups of three and a rest of two.
        hash.push(0);
        let mut text: String = hash
            .chunks(3)
            .flat_map(|three| {
                let bits = three.iter().fold(0_usize, |bits, byte| bits << 8 | usize::from(*byte));
                [18, 12, 6, 0].map(|shift| char::from(table[bits >> shift & 63]))
            })
            .collect();
        text.pop();
        assert!(HEAD.contains(&format!("script-src 'sha256-{text}='")), "{text}");
    }
}
