//! Documents of other hosts: the address, the question, and the message when nothing comes.

use leptos::prelude::*;
use leptos::task::spawn_local;

use super::lazy_panes::{self, LazyView};
use crate::io;
use crate::state::{Workspace, curl_line};
use crate::strings::{fill, text};
use crate::ui::Dialog;

/// The dialog that takes an address. It is in the page from the start, so that what is typed at once is not lost.
#[component]
pub(crate) fn OpenAddress() -> impl IntoView {
    let workspace = Workspace::here();
    let open = workspace.remote.open;
    let address = RwSignal::new(String::new());
    let is_address = Memo::new(move |_| address.with(|address| io::remote::parse_address(address).is_some()));
    let go = move || {
        if is_address.get_untracked() {
            workspace.open_address(&address.get_untracked());
        }
    };
    view! {
        <Dialog title=text::web_open() open close=move || open.set(false)>
            <label class="labelled">
                <span>{text::web_address()}</span>
                <input
                    type="url"
                    autofocus
                    autocomplete="off"
                    spellcheck="false"
                    placeholder=text::web_address_hint()
                    on:input=move |event| address.set(event_target_value(&event))
                    on:keydown=move |event| {
                        if event.key() == "Enter" {
                            // Else it would press what the next dialog has in focus.
                            event.prevent_default();
                            go();
                        }
                    }
                />
            </label>
            <p class="muted">{text::web_hint()}</p>
            <div class="dialog-actions">
                <button type="button" on:click=move |_| open.set(false)>{text::cancel()}</button>
                <button type="button" disabled=move || !is_address.get() on:click=move |_| go()>{text::web_go()}</button>
            </div>
        </Dialog>
    }
}

/// The question whether the browser may fetch from a host.
#[component]
pub(crate) fn AskHost() -> impl IntoView {
    let asking = Workspace::here().remote.asking;
    let host =
        move || asking.with(|place| place.as_ref().map(|place| place.host.clone())).unwrap_or_default();
    let title = Signal::derive(move || fill(text::web_ask(), &[("host", &host())]));
    let is_open = Signal::derive(move || asking.with(Option::is_some));
    view! {
        <Dialog title open=is_open close=move || asking.set(None)>
            <Show when=move || is_open.get()>
                <LazyView pane=lazy_panes::host() />
            </Show>
        </Dialog>
    }
}

#[component]
pub(super) fn HostBody() -> impl IntoView {
    let workspace = Workspace::here();
    let asking = workspace.remote.asking;
    let host =
        move || asking.with(|place| place.as_ref().map(|place| place.host.clone())).unwrap_or_default();
    view! {
        <p>{move || fill(text::web_ask_why(), &[("host", &host())])}</p>
        <p class="web-url">{move || asking.get().map(|place| place.url)}</p>
        <div class="dialog-actions">
            <button type="button" on:click=move |_| asking.set(None)>{text::cancel()}</button>
            <button type="button" on:click=move |_| workspace.agree_to_host()>
                {move || fill(text::web_agree(), &[("host", &host())])}
            </button>
        </div>
    }
}

/// What can be done when nothing came from an address.
#[component]
pub(super) fn InVain() -> impl IntoView {
    let workspace = Workspace::here();
    let copied = RwSignal::new(None::<bool>);
    move || {
        workspace.remote.place.get().map(|place| {
            let line = curl_line(&place);
            let shown = line.clone();
            let copy = move |_| {
                let line = line.clone();
                spawn_local(async move {
                    let done = io::page::copy(&line).await;
                    copied.try_set(Some(done));
                });
            };
            view! {
                <p>{text::web_by_hand()}</p>
                <pre class="web-url" tabindex="0" role="region" aria-label=text::web_line()>{shown}</pre>
                <div class="dialog-actions">
                    <span role="status">
                        {move || copied.get().map(|copied| if copied { text::copied() } else { text::copy_refused() })}
                    </span>
                    <button type="button" on:click=copy>{text::copy()}</button>
                    <button type="button" on:click=move |_| workspace.paste_instead()>{text::web_paste()}</button>
                    <button type="button" on:click=move |_| workspace.fetch_web_again()>{text::try_again()}</button>
                </div>
            }
        })
    }
}

/// How far it is, and the way to give it up.
#[component]
pub(super) fn UnderWay() -> impl IntoView {
    let workspace = Workspace::here();
    view! {
        <p role="status">{move || workspace.remote.progress.get()}</p>
        <button type="button" class="button" on:click=move |_| workspace.stop_web()>{text::stop()}</button>
    }
}
