//! A list of any length with one page on screen, the last one at first.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use leptos::prelude::*;
use leptos::task::spawn_local;
use serde_json::Value;

use crate::strings::{fill, group, text};

/// Rows on one page: enough for most lists to have a single one, few enough for the page to stay light.
pub(crate) const PAGE: usize = 40;

#[component]
pub(crate) fn Paged<T, F, V>(
    items: Vec<T>,
    class: &'static str,
    #[prop(into)] label: String,
    render: F,
) -> impl IntoView
where
    T: Clone + Send + Sync + 'static,
    F: Fn(T) -> V + Send + Sync + 'static,
    V: IntoView + 'static,
{
    let count = items.len();
    let rows = move |start: usize| {
        items.iter().skip(start).take(PAGE).cloned().map(|item| render(item).into_any()).collect()
    };
    pages(count, None, class, label, Arc::new(rows))
}

/// What brings the page of a list that begins at an item.
pub(crate) type AskPage =
    Arc<dyn Fn(usize) -> Pin<Box<dyn Future<Output = Option<Vec<Value>>>>> + Send + Sync>;

/// The same for a list with only one page loaded, the last one unless `start` is another one. The visible page
/// stays until the next one has come.
#[component]
pub(crate) fn PagedFar(
    count: usize,
    last: Vec<Value>,
    #[prop(optional_no_strip)] start: Option<usize>,
    class: &'static str,
    #[prop(into)] label: String,
    ask: AskPage,
    render: Arc<dyn Fn(&Value) -> AnyView + Send + Sync>,
) -> impl IntoView {
    let first = start.unwrap_or(count.saturating_sub(1)) / PAGE;
    let shown = RwSignal::new((first * PAGE, Arc::new(last)));
    let rows = move |start: usize| {
        let (at, items) = shown.get();
        if at != start {
            let pending = ask(start);
            spawn_local(async move {
                if let Some(items) = pending.await {
                    // The list may be gone by now.
                    drop(shown.try_set((start, Arc::new(items))));
                }
            });
        }
        items.iter().map(|item| render(item)).collect()
    };
    pages(count, Some(first), class, label, Arc::new(rows))
}

/// The page and what turns it, the same for items of all types; `rows` makes those of the page that begins at an item.
fn pages(
    count: usize,
    first: Option<usize>,
    class: &'static str,
    label: String,
    rows: Arc<dyn Fn(usize) -> Vec<AnyView> + Send + Sync>,
) -> impl IntoView {
    let last = count.div_ceil(PAGE).saturating_sub(1);
    let page = RwSignal::new(first.unwrap_or(last).min(last));
    let place = move || {
        let start = page.get() * PAGE;
        let (from, to) = (group(start + 1), group((start + PAGE).min(count)));
        fill(text::page(), &[("from", &from), ("to", &to), ("of", &group(count))])
    };
    view! {
        <Show when=move || last != 0>
            <div class="pager">
                <button type="button" disabled=move || page.get() == 0 on:click=move |_| page.update(|page| *page -= 1)>
                    {text::earlier()}
                </button>
                <span>{place}</span>
                <button
                    type="button"
                    disabled=move || page.get() == last
                    on:click=move |_| page.update(|page| *page += 1)
                >
                    {text::later()}
                </button>
            </div>
        </Show>
        <ul class=class aria-label=label>
            {move || rows(page.get() * PAGE)}
        </ul>
    }
}
