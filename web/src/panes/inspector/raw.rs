//! The step as data, made only when it is asked for.

use leptos::prelude::*;
use leptos::task::spawn_local;

use super::Bands;
use crate::io;
use crate::state::StepPlace;
use crate::strings::text;
use crate::ui::LongText;

#[component]
pub(super) fn Raw(place: StepPlace) -> impl IntoView {
    let Bands { raw: open, raw_text: shown, .. } = expect_context::<Bands>();
    let here = RwSignal::new(());
    Effect::new(move || {
        if open.get() {
            let place = place.clone();
            spawn_local(async move {
                let content = place.raw().await;
                // Another step may be in sight by now.
                if let Some(content) = content.filter(|_| !here.is_disposed()) {
                    shown.set(content);
                }
            });
        }
    });
    let content = move || open.get().then(|| view! { <LongText content=shown.get() /> });
    view! {
        <details
            class="layer layer-raw"
            open=open.get_untracked()
            on:toggle=move |event| open.set(io::page::is_open(&event))
        >
            <summary>
                <h3>{text::RAW}</h3>
                <span class="layer-facts">{text::RAW_HINT}</span>
            </summary>
            <div class="layer-body">{content}</div>
        </details>
    }
}
