//! Panes that are not in sight at first. A release has their code in files of their own, each of which is brought
//! when one of its panes is first asked for, and all of them when the page has nothing else to do.

use std::cell::Cell;
use std::future::Future;
use std::pin::Pin;
use std::thread::LocalKey;

use leptos::prelude::*;
use leptos::task::spawn_local;

use super::{
    agents, assert_menu, assertions, cards, change_step, compare, determinism, generate, handlers, history,
    inspector, journal, logs, remote, share, sheet,
};
use crate::io;
use crate::io::timer::Debounce;
use crate::state::Workspace;
use crate::strings::text;
use crate::ui::{Icon, icons};

/// How long a pane may take, in milliseconds, before it is said that it is under way.
const PATIENCE: u64 = 300;

/// What shows a pane.
type Shown = fn() -> AnyView;
type Bringing = Pin<Box<dyn Future<Output = Option<Shown>>>>;

/// A pane whose code lies apart from that of the page.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LazyPane {
    here: &'static LocalKey<Cell<Option<Shown>>>,
    /// Nothing when the file did not come; asked again, it is brought again.
    bring: fn() -> Bringing,
}

/// Names the panes of each file. What only they use is in the file as well.
macro_rules! lazy_panes {
    ($($file:ident { $($pane:ident: $view:expr;)* })*) => {
        $($(pub(crate) fn $pane() -> LazyPane {
            thread_local! {
                static HERE: Cell<Option<Shown>> = const { Cell::new(None) };
            }
            #[cfg(split)]
            #[wasm_split_helpers::wasm_split($file, fallible)]
            fn $pane() -> Result<Shown, wasm_split_helpers::SplitLoaderError> {
                Ok(|| $view)
            }
            #[cfg(not(split))]
            async fn $pane() -> Result<Shown, std::convert::Infallible> {
                Ok(|| $view)
            }
            LazyPane { here: &HERE, bring: || Box::pin(async { $pane().await.ok() }) }
        })*)*

        fn all() -> Vec<LazyPane> {
            vec![$($($pane()),*),*]
        }
    };
}

// Each more file makes more of those that several of them share.
lazy_panes! {
    views {
        agents: view! { <agents::AgentsPane /> <agents::EventPane /> }.into_any();
        handlers: view! { <handlers::HandlersPane /> <handlers::SimulatorPane /> }.into_any();
        compare: view! { <compare::Compare /> }.into_any();
    }
    panes {
        state_tree: view! { <inspector::StateTree /> }.into_any();
        sides: view! { <inspector::Sides /> }.into_any();
        chat: view! { <inspector::Chat /> }.into_any();
        raw: view! { <inspector::Raw /> }.into_any();
        assertions: view! { <assertions::Assertions /> }.into_any();
        determinism: view! { <determinism::Determinism /> }.into_any();
        cards: view! { <cards::CardsEditor /> }.into_any();
        journal: view! { <journal::JournalPane /> }.into_any();
        choices: view! { <assert_menu::Body /> }.into_any();
    }
    dialogs {
        host: view! { <remote::HostBody /> }.into_any();
        change_step: view! { <change_step::Body /> }.into_any();
        generate: view! { <generate::Body /> }.into_any();
        history: view! { <history::Body /> }.into_any();
        report: view! { <logs::Body /> }.into_any();
        share: view! { <share::Body /> }.into_any();
        sheet: view! { <sheet::Body /> }.into_any();
    }
}

#[derive(Clone, Copy)]
enum Stage {
    /// Nothing is said of what takes a moment.
    Begun,
    Waiting,
    Failed,
    Here(Shown),
}

impl LazyPane {
    /// Brings the code of the pane, unless it is here.
    async fn bring(self) -> Option<Shown> {
        if let Some(shown) = self.here.get() {
            return Some(shown);
        }
        let shown = (self.bring)().await?;
        self.here.set(Some(shown));
        Some(shown)
    }
}

/// Brings all panes when the page has nothing else to do, from the first document on: each is at hand then when it is
/// asked for, with a network or without.
pub(crate) fn load_when_idle(workspace: Workspace) {
    io::page::follow_hands();
    Effect::new(move |begun: Option<bool>| {
        let begun = begun.unwrap_or_default();
        if begun || !workspace.editing() {
            return begun;
        }
        if !io::page::saves_data() {
            io::page::when_idle(|| spawn_local(bring_all()));
        }
        true
    });
}

async fn bring_all() {
    for pane in all() {
        // What did not come is asked for again when it is wanted.
        if pane.bring().await.is_none() {
            break;
        }
    }
}

/// Shows `pane` where it stands, once its code is here.
#[component]
pub(crate) fn LazyView(pane: LazyPane) -> impl IntoView {
    if let Some(shown) = pane.here.get() {
        return shown();
    }
    let stage = RwSignal::new(Stage::Begun);
    let patience = Debounce::new();
    on_cleanup(move || patience.cancel());
    let bring = move || {
        stage.set(Stage::Begun);
        patience.run(PATIENCE, move || stage.set(Stage::Waiting));
        spawn_local(async move {
            let next = pane.bring().await.map_or(Stage::Failed, Stage::Here);
            // A pane that was left meanwhile wants it no more.
            if stage.try_set(next).is_none() {
                patience.cancel();
            }
        });
    };
    bring();
    let content = move || match stage.get() {
        Stage::Begun => ().into_any(),
        Stage::Waiting => view! { <p class="empty" role="status">{text::apart_waiting()}</p> }.into_any(),
        Stage::Failed => view! {
            <div class="empty" role="alert">
                <p class="severity-error"><Icon path=icons::ERROR />{text::apart_failed()}</p>
                <button type="button" class="button" on:click=move |_| bring()>{text::try_again()}</button>
            </div>
        }
        .into_any(),
        Stage::Here(shown) => {
            io::page::focus_awaited();
            shown()
        }
    };
    content.into_any()
}
