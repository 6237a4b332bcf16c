//! T205: turn numbers do not rise one by one, or something is used before it exists.

use super::facts::Facts;
use crate::diagnostic::{Applicability, Diagnostic, Edit, Fix, Severity, codes};
use crate::model::Sent;

pub(super) fn check(facts: &Facts<'_>, found: &mut Vec<Diagnostic>) {
    numbers(facts, found);
    results(facts, found);
    sent(facts, found);
    visibility(facts, found);
}

fn numbers(facts: &Facts<'_>, found: &mut Vec<Diagnostic>) {
    let (mut wanted, mut previous) = (1_i64, None);
    let mut renumber = renumbered(facts);
    for turn in &facts.transcript.turns {
        let Some(number) = &turn.number else {
            wanted = wanted.saturating_add(1);
            continue;
        };
        if number.value != wanted {
            let severity = if number.value > wanted { Severity::Warning } else { Severity::Error };
            let message = match previous {
                None => format!("the first numbered turn is {}, not {wanted}", number.value),
                Some(previous) => format!("turn {} follows turn {previous}", number.value),
            };
            let mut diagnostic = Diagnostic::new(codes::TURN_ORDER, severity, number.span, message)
                .help(format!("number the turns in order: this is turn {wanted}"));
            diagnostic.fixes.extend(renumber.take());
            let title = format!("change to {wanted}");
            found.push(diagnostic.fix(Applicability::Suggested, title, number.span, wanted.to_string()));
        }
        previous = Some(number.value);
        // The numbers should continue from this one, so that one slip is reported once.
        wanted = number.value.saturating_add(1);
    }
}

/// The fix that numbers all turns by their place. It is safe as long as no number falls: nothing refers to a
/// number, and the order stays the same.
fn renumbered(facts: &Facts<'_>) -> Option<Fix> {
    let turns = &facts.transcript.turns;
    let numbers = || turns.iter().filter_map(|turn| turn.number.as_ref());
    let rises = numbers().zip(numbers().skip(1)).all(|(a, b)| a.value <= b.value);
    let edits: Vec<Edit> = turns
        .iter()
        .enumerate()
        .filter_map(|(at, turn)| {
            let number = turn.number.as_ref()?;
            let wanted = i64::try_from(at + 1).ok().filter(|wanted| *wanted != number.value)?;
            Some(Edit { span: number.span, text: wanted.to_string() })
        })
        .collect();
    // Turns that an alias repeats have their number in one place.
    let apart = edits.iter().zip(edits.iter().skip(1)).all(|(a, b)| a.span.end <= b.span.start);
    let applicability = if rises && apart { Applicability::Safe } else { Applicability::Suggested };
    let title = "number the turns in order".to_owned();
    (apart && !edits.is_empty()).then_some(Fix { title, applicability, edits })
}

fn results(facts: &Facts<'_>, found: &mut Vec<Diagnostic>) {
    for result in &facts.results {
        let Some((id, (made, call))) = result.id.and_then(|id| Some((id, facts.call_of(result)?))) else {
            continue;
        };
        if result.step < made {
            let message = format!(
                "the result of `{}` is in turn {}, before the call in turn {}",
                call.name.value,
                facts.turn_number(result.step),
                facts.turn_number(made),
            );
            found.push(
                Diagnostic::new(codes::TURN_ORDER, Severity::Error, id.span, message)
                    .related(call.span, "the call is here")
                    .help("move the result after the call"),
            );
        }
    }
}

fn sent(facts: &Facts<'_>, found: &mut Vec<Diagnostic>) {
    for (index, turn) in facts.transcript.turns.iter().enumerate() {
        let step = index + 1;
        let Sent::List(items) = &turn.sent else { continue };
        for reference in items.iter().filter_map(|item| item.reference.as_ref()) {
            let Some((created, message)) = facts.find(&reference.value) else { continue };
            if created < step {
                continue;
            }
            let when = if created == step {
                "by that turn".to_owned()
            } else {
                format!("in turn {}", facts.turn_number(created))
            };
            let text = format!(
                "`{}` is sent in turn {}, but created {when}",
                reference.value,
                facts.turn_number(step),
            );
            found.push(
                Diagnostic::new(codes::TURN_ORDER, Severity::Error, reference.span, text)
                    .related(message.id.span, "the message is created here")
                    .help("send only messages that exist at this turn"),
            );
        }
    }
}

fn visibility(facts: &Facts<'_>, found: &mut Vec<Diagnostic>) {
    for (index, turn) in facts.transcript.turns.iter().enumerate() {
        for (id, visible) in &turn.changes.visible {
            let Some((created, message)) = facts.find(&id.value).filter(|(created, _)| *created > index + 1)
            else {
                continue;
            };
            let text = format!(
                "`{}` is {} in turn {}, but created in turn {}",
                id.value,
                if *visible { "shown" } else { "hidden" },
                facts.turn_number(index + 1),
                facts.turn_number(created),
            );
            found.push(
                Diagnostic::new(codes::TURN_ORDER, Severity::Error, id.span, text)
                    .related(message.id.span, "the message is created here")
                    .help("change its visibility in that turn or later"),
            );
        }
    }
}
