//! Whether the transcript follows its log, and when the log was last written.

use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::io::clock;
use crate::state::Workspace;
use crate::strings::text;

#[component]
pub(super) fn Follow() -> impl IntoView {
    let workspace = Workspace::here();
    let follow = workspace.follow;
    Effect::new(move || {
        workspace.logs.report.track();
        spawn_local(workspace.offer_to_follow());
    });
    Effect::new(move || {
        if follow.is_on.get() {
            workspace.keep_following();
        }
    });
    let is_shown = Memo::new(move |_| workspace.may_follow());
    let state = move || match (follow.is_on.get(), follow.changed.get() > 0.0) {
        (true, _) if workspace.served.gone.get() => text::file_gone(),
        (true, _) => text::following(),
        (false, true) => text::not_following(),
        (false, false) => "",
    };
    let time = move || {
        let changed = follow.changed.get();
        (changed > 0.0).then(|| {
            view! { <time title=clock::date(changed)>{format!(" · {}", clock::time_to_the_second(changed))}</time> }
        })
    };
    let word = move || match (follow.is_on.get(), follow.changed.get() > 0.0) {
        (true, _) => text::stop(),
        (false, true) => text::follow_resume(),
        (false, false) => text::follow(),
    };
    let press = move |_| follow.is_on.update(|is_on| *is_on = !*is_on);
    view! {
        <Show when=move || is_shown.get()>
            <span class="pane-facts">
                <span role="status">{state}</span>
                {time}
            </span>
            <button type="button" class="button" title=text::follow_long() on:click=press>
                {word}
            </button>
        </Show>
    }
}
