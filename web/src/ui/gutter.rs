//! Line numbers next to a text field, with marks, made only for visible lines.

use crate::tenths::Tenths;
use leptos::prelude::*;

/// The marks of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Mark {
    pub(crate) class: &'static str,
    pub(crate) icon: &'static str,
    pub(crate) word: &'static str,
}

/// The field is `scrolled` pixels down and `height` pixels high; lines count from 1.
#[component]
pub(crate) fn Gutter(
    #[prop(into)] lines: Signal<usize>,
    #[prop(into)] scrolled: Signal<f64>,
    #[prop(into)] height: Signal<f64>,
    line_height: f64,
    /// The mark of a line, if it has one.
    mark: impl Fn(u32) -> Option<Mark> + Copy + Send + Sync + 'static,
    /// A mark was pressed.
    press: impl Fn(u32) + Copy + Send + Sync + 'static,
) -> impl IntoView {
    let range = Memo::new(move |_| {
        let first = (scrolled.get() / line_height) as usize;
        let last = ((scrolled.get() + height.get()) / line_height).ceil() as usize;
        (first.min(lines.get()), last.min(lines.get()))
    });
    let digits = move || lines.get().max(10).to_string().len();
    let row = move |line: usize| {
        let number = u32::try_from(line).unwrap_or(u32::MAX);
        let content = move || {
            mark(number).map(|mark| {
                let label = format!("{} {number}", mark.word);
                view! {
                    <button
                        type="button"
                        class=format!("gutter-mark {}", mark.class)
                        tabindex="-1"
                        title=label.clone()
                        aria-label=label
                        on:click=move |_| press(number)
                    >
                        <super::Icon path=mark.icon />
                    </button>
                }
            })
        };
        view! {
            <div class="gutter-line">
                {content} <span>{number}</span>
            </div>
        }
    };
    view! {
        <div class="gutter" style:width=move || format!("calc({}ch + 32px)", digits())>
            <div style:transform=move || format!("translateY({}px)", Tenths(range.get().0 as f64 * line_height - scrolled.get()))>
                <For
                    each=move || {
                        let (first, last) = range.get();
                        first + 1..=last
                    }
                    key=|line| *line
                    children=row
                />
            </div>
        </div>
    }
}
