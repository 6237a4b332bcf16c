//! The reader's answer for a tab of the inspector.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use leptos::prelude::*;
use leptos::task::spawn_local;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::Value;
use transcript_core::view::{TabList, TabRequest};

use crate::io::decode::decode;
use crate::state::{PtrArc, StepPlace, Workspace};
use crate::ui::PagedFar;

/// The answer, with the step and the request it belongs to. It is decoded where it is shown, so that all tabs share the code of one
/// signal.
#[derive(Clone)]
pub(super) struct TabAnswer {
    place: StepPlace,
    request: TabRequest,
    answer: PtrArc<Value>,
}

/// Requests again when the step or query changes. The last answer stays until the next is here.
pub(super) fn tab_answer(question: fn(Workspace) -> TabRequest) -> RwSignal<Option<TabAnswer>> {
    let workspace = Workspace::here();
    let tab = RwSignal::new(None);
    let newest = StoredValue::new(0_u32);
    Effect::new(move || {
        let place = workspace.detail.with(|detail| detail.as_ref().map(|detail| detail.place.clone()));
        let request = question(workspace);
        newest.update_value(|newest| *newest += 1);
        let number = newest.get_value();
        spawn_local(async move {
            let answer = match &place {
                Some(place) => place.clone().look(request.clone()).await,
                None => None,
            };
            if newest.try_get_value() == Some(number) {
                let answer = answer.map(PtrArc::new);
                tab.set(place.zip(answer).map(|(place, answer)| TabAnswer { place, request, answer }));
            }
        });
    });
    tab
}

impl TabAnswer {
    /// The whole answer.
    pub(super) fn whole<T: DeserializeOwned>(&self) -> T {
        decode(&self.answer)
    }

    /// The facts of a [`TabList`].
    pub(super) fn facts<T: DeserializeOwned>(&self) -> T {
        self.whole::<TabList<T, IgnoredAny>>().facts
    }

    /// The length of its list.
    pub(super) fn count(&self) -> usize {
        self.whole::<TabList<IgnoredAny, IgnoredAny>>().count
    }

    /// Its list, in pages.
    pub(super) fn pages<T: DeserializeOwned>(
        &self,
        class: &'static str,
        label: String,
        render: impl Fn(T) -> AnyView + Send + Sync + 'static,
    ) -> AnyView {
        let Self { place, request, .. } = self.clone();
        let ask = Arc::new(move |start: usize| -> Pin<Box<dyn Future<Output = Option<Vec<Value>>>>> {
            let (place, request) = (place.clone(), request.clone().at(start));
            Box::pin(async move {
                let answer = place.look(request).await?;
                Some(decode::<TabList<IgnoredAny, Value>>(&answer).items)
            })
        });
        let TabList { count, start, items: last, .. } = self.whole::<TabList<IgnoredAny, Value>>();
        let start = Some(start);
        let render = Arc::new(move |value: &Value| render(decode(value)));
        view! { <PagedFar count last start class label ask render /> }.into_any()
    }
}
