//! Crates that only one folder may know: the browser's interfaces at the edge of the page, the graph library
//! where events are ordered.

use crate::files::File;
use crate::{Violation, code};

struct Edge {
    crates: &'static [&'static str],
    /// Where the crates are kept out of.
    outside: &'static [&'static str],
    /// Where in there they may be used after all.
    inside: &'static [&'static str],
}

const EDGES: [Edge; 3] = [
    Edge {
        crates: &[
            "web_sys",
            "js_sys",
            "gloo",
            "gloo_net",
            "gloo_storage",
            "gloo_timers",
            "gloo_utils",
            "gloo_events",
        ],
        outside: &["core/src/", "web/src/"],
        inside: &["web/src/io/", "web/src/editor/"],
    },
    // The package converts between Rust and JavaScript; a browser need not be there.
    Edge { crates: &["web_sys", "gloo"], outside: &["wasm-pkg/src/"], inside: &[] },
    Edge {
        crates: &["petgraph"],
        outside: &["core/src/", "web/src/", "wasm-pkg/src/"],
        inside: &["core/src/order/"],
    },
];

pub(crate) fn check(file: &File) -> Vec<Violation> {
    if file.extension() != "rs" {
        return Vec::new();
    }
    let lies_in = |folders: &[&str]| folders.iter().any(|folder| file.path.starts_with(folder));
    let edges = EDGES.iter().filter(|edge| lies_in(edge.outside) && !lies_in(edge.inside));
    let mut found = Vec::new();
    for (index, line) in code::code_lines(&file.text).iter().enumerate() {
        for edge in edges.clone() {
            for name in edge.crates.iter().filter(|name| code::words(line, name).next().is_some()) {
                let places =
                    if edge.inside.is_empty() { "nowhere".to_owned() } else { edge.inside.join(" and ") };
                found.push(Violation::new(file, index + 1, format!("`{name}` may be used in {places} only")));
            }
        }
    }
    found
}

#[test]
fn a_crate_of_the_edge_is_found_elsewhere() {
    let violations = |path: &str, text: &str| check(&File::sample(path, text)).len();
    assert_eq!(violations("web/src/panes/source.rs", "use leptos::web_sys::window;"), 1);
    assert_eq!(violations("web/src/io/storage.rs", "use web_sys::window;"), 0);
    assert_eq!(violations("web/src/panes/source.rs", "// web_sys is not for here"), 0);
    assert_eq!(violations("wasm-pkg/src/lib.rs", "use js_sys::JsString;\nuse web_sys::window;"), 1);
    assert_eq!(violations("core/src/replay/mod.rs", "petgraph::Graph::new()"), 1);
    assert_eq!(violations("core/src/order/mod.rs", "use petgraph::Graph;"), 0);
}
