//! What the run cost, and by which prices.

use leptos::prelude::*;
use leptos::task::spawn_local;
use transcript_core::view::{RunCost, RunTotals};

use crate::io::{self, folder::FileSelection};
use crate::state::Workspace;
use crate::strings::{Language, count, fill, group, text};

/// No table of prices has more bytes.
const LIMIT: usize = 1_000_000;

/// An amount to the cent, and less than a cent to four digits.
fn money(amount: f64, currency: &str) -> String {
    let (parts, digits) = if amount > 0.0 && amount < 0.01 { (10_000_u64, 4) } else { (100, 2) };
    let units = (amount * parts as f64).round() as u64;
    let least = if units == 0 && amount > 0.0 { "<" } else { "" };
    let point = if Language::in_use() == Language::German { ',' } else { '.' };
    let units = units.max(u64::from(!least.is_empty()));
    let whole = group(usize::try_from(units / parts).unwrap_or(usize::MAX));
    let number = format!("{whole}{point}{:0digits$}", units % parts);
    let name = format!("{currency}\u{a0}");
    let sign = match currency {
        "USD" => "$",
        "EUR" => "€",
        _ => &name,
    };
    format!("{least}{}", fill(text::read_money(), &[("sign", sign), ("n", &number)]).trim())
}

/// What the step of that row cost.
pub(super) fn step_cost(totals: &RunTotals, at: usize) -> Option<String> {
    let cost = totals.cost.as_ref()?;
    let place = cost.steps.binary_search_by_key(&at, |(at, _)| *at).ok()?;
    cost.steps.get(place).map(|(_, amount)| money(*amount, &cost.currency))
}

/// What the run cost, as far as it is known.
fn run_cost(cost: &RunCost) -> String {
    let amount = money(cost.amount, &cost.currency);
    match (cost.steps.is_empty(), cost.unpriced, cost.unknown.is_empty()) {
        (false, 0, _) => amount,
        (false, calls, _) => {
            let template = count(text::read_cost_more_one(), text::read_cost_more_many(), calls);
            fill(&template, &[("cost", &amount)])
        }
        (true, _, false) => fill(text::read_no_price(), &[("models", &cost.unknown.join(", "))]),
        (true, _, true) => text::read_no_model().to_owned(),
    }
}

/// The text of a table, or why it cannot be used.
async fn read_table(file: io::files::BrowserFile) -> Result<String, String> {
    let Ok(file) = io::files::read(file, LIMIT).await else { return Err(text::not_read().to_owned()) };
    if file.bytes.len() > LIMIT {
        return Err(fill(text::too_large(), &[("n", &group(LIMIT))]));
    }
    let table = String::from_utf8_lossy(&file.bytes);
    let table = table.trim_start_matches('\u{feff}').to_owned();
    match io::reader::price_error(&table).await {
        Some(reason) if !reason.is_empty() => Err(short(&reason)),
        _ => Ok(table),
    }
}

/// The begin of a reason, which may quote long names.
fn short(reason: &str) -> String {
    reason.chars().take(200).collect()
}

/// The cost of the run. Opened, it tells of the prices.
#[component]
pub(super) fn Cost(totals: RwSignal<RunTotals>) -> impl IntoView {
    let replaced = Workspace::here().step_search.replaced;
    let error = RwSignal::new(None::<String>);
    let is_own = RwSignal::new(io::prices::is_own());
    let replace = move |table: String| {
        error.set(None);
        is_own.set(!table.is_empty());
        if !io::prices::replace(table) {
            error.set(Some(text::read_prices_not_kept().to_owned()));
        }
        replaced.set(());
    };
    let choose = move |event| {
        let Some(FileSelection::File(file)) = io::files::chosen(&event) else { return };
        spawn_local(async move {
            let name = file.name();
            match read_table(file).await {
                Ok(table) => replace(table),
                Err(reason) => {
                    error.set(Some(fill(text::read_prices_wrong(), &[("name", &name), ("reason", &reason)])));
                }
            }
        });
    };
    let cost = Memo::new(move |_| totals.with(|totals| totals.cost.clone()));
    let shown = move || cost.with(|cost| cost.as_ref().map(run_cost));
    let date = move || {
        let date = cost.with(|cost| cost.as_ref().map(|cost| cost.date.clone())).unwrap_or_default();
        fill(text::read_prices_of(), &[("date", &date)])
    };
    // The kept table is checked before there is a cost.
    let own_error = move || {
        cost.track();
        io::prices::own_error().map(|reason| short(&reason))
    };
    let unknown = move || {
        let unknown = cost.with(|cost| cost.as_ref().map(|cost| cost.unknown.join(", "))).unwrap_or_default();
        (!unknown.is_empty()).then(|| view! { <p>{fill(text::read_unknown(), &[("models", &unknown)])}</p> })
    };
    view! {
        <details class="read-cost" hidden=move || cost.with(Option::is_none)>
            <summary title=date>{shown}</summary>
            <p>{date} " " {text::read_estimate()}</p>
            {unknown}
            <p>
                <input type="file" id="prices-input" accept=".json" hidden on:change=choose />
                <button type="button" class="button" on:click=move |_| io::files::choose("prices-input")>{text::read_own_prices()}</button>
                <Show when=move || is_own.get()>
                    <button type="button" class="button" on:click=move |_| replace(String::new())>{text::read_site_prices()}</button>
                </Show>
            </p>
            <p role="alert" class="severity-error">{move || error.get().or_else(own_error)}</p>
        </details>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_amounts_have_more_digits() {
        let texts = [1234.5, 0.415, 0.01, 0.0042, 0.000_01, 0.0].map(|amount| money(amount, "USD"));
        assert_eq!(texts, ["$1\u{202f}234.50", "$0.42", "$0.01", "$0.0042", "<$0.0001", "$0.00"]);
        assert_eq!(money(2.0, "CHF"), "CHF\u{a0}2.00");
    }

    #[test]
    fn what_is_unknown_is_said() {
        let all = RunCost {
            currency: "USD".to_owned(),
            amount: 0.42,
            steps: vec![(3, 0.42)],
            ..RunCost::default()
        };
        assert_eq!(run_cost(&all), "$0.42");
        let some = RunCost { unpriced: 3, unknown: vec!["mine".to_owned()], ..all.clone() };
        assert_eq!(run_cost(&some), "$0.42 + 3 calls without a price");
        let none = RunCost { steps: Vec::new(), ..some };
        assert_eq!(run_cost(&none), "cost unknown: no price for mine");
        assert_eq!(
            run_cost(&RunCost { unknown: Vec::new(), ..none }),
            "cost unknown: the log names no model"
        );
        let totals = RunTotals { cost: Some(all), ..RunTotals::default() };
        assert_eq!((step_cost(&totals, 3).as_deref(), step_cost(&totals, 4)), (Some("$0.42"), None));
    }
}
