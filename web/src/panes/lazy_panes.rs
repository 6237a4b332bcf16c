//! Panes that are hidden at first. A release has their code in files of their own. Each file is loaded
//! when one of its panes is first opened, and all of them when the page has nothing else to do.

use std::cell::Cell;
use std::future::Future;
use std::pin::Pin;
use std::thread::LocalKey;

use leptos::prelude::*;
use leptos::task::spawn_local;

use super::{
    agents, assert_menu, assertions, cards, change_step, compare, determinism, generate, handlers, history,
    inspector, journal, logs, note, read, remote, share, sheet, timeline,
};
use crate::io;
use crate::io::timer::Debounce;
use crate::state::Workspace;
use crate::strings::text;
use crate::ui::{Icon, icons};

/// How long a pane may take to load, in milliseconds, before the page says so.
const NOTICE_DELAY: u64 = 300;

/// Renders a pane.
type RenderPane = fn() -> AnyView;
type Loading = Pin<Box<dyn Future<Output = Option<RenderPane>>>>;

/// A pane whose code is not part of the first load of the page.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LazyPane {
    loaded: &'static LocalKey<Cell<Option<RenderPane>>>,
    /// Returns `None` when the file did not load; the next call tries again.
    load: fn() -> Loading,
}

/// Names the panes of each file. What only they use is in the file as well.
macro_rules! lazy_panes {
    ($($file:ident { $($pane:ident: $view:expr;)* })*) => {
        $($(pub(crate) fn $pane() -> LazyPane {
            thread_local! {
                static LOADED: Cell<Option<RenderPane>> = const { Cell::new(None) };
            }
            #[cfg(split)]
            #[wasm_split_helpers::wasm_split($file, fallible)]
            fn $pane() -> Result<RenderPane, wasm_split_helpers::SplitLoaderError> {
                Ok(|| $view)
            }
            #[cfg(not(split))]
            async fn $pane() -> Result<RenderPane, std::convert::Infallible> {
                Ok(|| $view)
            }
            LazyPane { loaded: &LOADED, load: || Box::pin(async { $pane().await.ok() }) }
        })*)*

        fn all() -> Vec<LazyPane> {
            vec![$($($pane()),*),*]
        }
    };
}

// Each more file makes more of those that several of them share.
lazy_panes! {
    views {
        read: view! { <read::ReadPane /> }.into_any();
        agents: view! { <agents::AgentsPane /> <agents::EventPane /> }.into_any();
        handlers: view! { <handlers::HandlersPane /> <handlers::SimulatorPane /> }.into_any();
        compare: view! { <compare::Compare /> }.into_any();
    }
    panes {
        state_tree: view! { <inspector::StateTree /> }.into_any();
        prompt_changes: view! { <inspector::PromptChanges /> }.into_any();
        sides: view! { <inspector::Sides /> }.into_any();
        chat: view! { <inspector::Chat /> }.into_any();
        raw: view! { <inspector::Raw /> }.into_any();
        assertions: view! { <assertions::Assertions /> }.into_any();
        determinism: view! { <determinism::Determinism /> }.into_any();
        cards: view! { <cards::CardsEditor /> }.into_any();
        timeline: view! { <timeline::TimelinePane /> }.into_any();
        journal: view! { <journal::JournalPane /> }.into_any();
        choices: view! { <assert_menu::Body /> }.into_any();
    }
    dialogs {
        host: view! { <remote::HostBody /> }.into_any();
        change_step: view! { <change_step::Body /> }.into_any();
        generate: view! { <generate::Body /> }.into_any();
        history: view! { <history::Body /> }.into_any();
        note: view! { <note::Body /> }.into_any();
        report: view! { <logs::Body /> }.into_any();
        share: view! { <share::Body /> }.into_any();
        sheet: view! { <sheet::Body /> }.into_any();
    }
}

#[derive(Clone, Copy)]
enum Stage {
    /// Loading has started; no notice is shown yet.
    Starting,
    Waiting,
    Failed,
    Loaded(RenderPane),
}

impl LazyPane {
    /// Loads the code of the pane, unless it is loaded.
    async fn load(self) -> Option<RenderPane> {
        if let Some(render) = self.loaded.get() {
            return Some(render);
        }
        let styles = io::pane_styles::load();
        let render = (self.load)().await?;
        styles.await.ok()?;
        self.loaded.set(Some(render));
        Some(render)
    }
}

/// Loads all panes when the page has nothing else to do, from the first document on: each is at hand then when it
/// opens, with a network or without.
pub(crate) fn load_when_idle(workspace: Workspace) {
    io::page::follow_hands();
    Effect::new(move |begun: Option<bool>| {
        let begun = begun.unwrap_or_default();
        if begun || !workspace.editing() {
            return begun;
        }
        if !io::page::saves_data() {
            io::page::when_idle(|| spawn_local(load_all()));
        }
        true
    });
}

async fn load_all() {
    for pane in all() {
        // What did not come is loaded again when it is wanted.
        if pane.load().await.is_none() {
            break;
        }
    }
}

/// Shows `pane` in its place, once its code is loaded.
#[component]
pub(crate) fn LazyView(pane: LazyPane) -> impl IntoView {
    if let Some(render) = pane.loaded.get() {
        return render();
    }
    let stage = RwSignal::new(Stage::Starting);
    let notice_timer = Debounce::new();
    on_cleanup(move || notice_timer.cancel());
    let load = move || {
        stage.set(Stage::Starting);
        notice_timer.run(NOTICE_DELAY, move || stage.set(Stage::Waiting));
        spawn_local(async move {
            let next = pane.load().await.map_or(Stage::Failed, Stage::Loaded);
            // A pane that was left meanwhile wants it no more.
            if stage.try_set(next).is_none() {
                notice_timer.cancel();
            }
        });
    };
    load();
    let content = move || match stage.get() {
        Stage::Starting => ().into_any(),
        Stage::Waiting => view! { <p class="empty" role="status">{text::apart_waiting()}</p> }.into_any(),
        Stage::Failed => view! {
            <div class="empty" role="alert">
                <p class="severity-error"><Icon path=icons::ERROR />{text::apart_failed()}</p>
                <button type="button" class="button" on:click=move |_| load()>{text::try_again()}</button>
            </div>
        }
        .into_any(),
        Stage::Loaded(render) => {
            io::page::focus_awaited();
            render()
        }
    };
    content.into_any()
}
