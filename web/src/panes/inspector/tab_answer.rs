//! The reader's answer for a tab of the inspector.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use leptos::prelude::*;
use leptos::task::spawn_local;
use serde_json::Value;

use crate::state::{PtrArc, StepPlace, Workspace, list, number};
use crate::ui::PagedFar;

/// The answer, with the step and the request it belongs to.
#[derive(Clone)]
pub(super) struct TabAnswer {
    pub(super) place: StepPlace,
    what: &'static str,
    request: Value,
    pub(super) answer: PtrArc<Value>,
}

/// Requests again when the step or query changes. The last answer stays until the next is here.
pub(super) fn tab_answer(
    what: &'static str,
    question: fn(Workspace) -> Value,
) -> RwSignal<Option<TabAnswer>> {
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
                Some(place) => place.clone().look(what, request.clone()).await,
                None => None,
            };
            if newest.try_get_value() == Some(number) {
                let answer = answer.map(PtrArc::new);
                tab.set(place.zip(answer).map(|(place, answer)| TabAnswer { place, what, request, answer }));
            }
        });
    });
    tab
}

impl TabAnswer {
    /// The list of the answer, in pages.
    pub(super) fn pages(
        &self,
        class: &'static str,
        label: String,
        render: Arc<dyn Fn(&Value) -> AnyView + Send + Sync>,
    ) -> AnyView {
        let Self { place, what, request, answer } = self.clone();
        let ask = Arc::new(move |start: usize| -> Pin<Box<dyn Future<Output = Option<Vec<Value>>>>> {
            let place = place.clone();
            let mut request = request.clone();
            if let Some(request) = request.as_object_mut() {
                request.insert("start".to_owned(), start.into());
            }
            Box::pin(async move {
                let answer = place.look(what, request).await?;
                Some(list(&answer, "items").to_vec())
            })
        });
        let last = list(&answer, "items").to_vec();
        let start = answer.get("start").and_then(Value::as_u64).map(|start| start as usize);
        view! { <PagedFar count=number(&answer, "count") last start class label ask render /> }.into_any()
    }
}
