//! The page about simulations, held to what the program does.

use transcript_core::document::Limits;
use transcript_core::model::Shape;
use transcript_core::simulate::{Progress, SCENARIO};
use transcript_core::view::simulation;

use super::{finished, step_messages};

const PAGE: &str = include_str!("../../public/docs/simulate.md");

fn block(language: &str) -> &'static str {
    let (_, rest) = PAGE.split_once(&format!("```{language}\n")).unwrap();
    rest.split_once("```").unwrap().0
}

#[test]
fn its_example_gives_out_what_it_says() {
    let mut simulation = simulation(block("yaml"), &Limits::default()).unwrap();
    assert_eq!(simulation.run(), Progress::Done);
    let wanted: Vec<&str> = block("text").lines().collect();
    assert_eq!(step_messages(&finished(&simulation), 0), wanted);
}

/// Every key of a map, those of the maps in it included.
fn keys(shape: &'static Shape, found: &mut Vec<&'static str>) {
    match shape {
        Shape::Map(fields) => fields.iter().for_each(|field| {
            found.push(field.name);
            // Handlers and responses have a page of their own.
            if !matches!(field.name, "handler" | "mock") {
                keys(field.shape, found);
            }
        }),
        Shape::List(inner) | Shape::TextOr(inner) => keys(inner, found),
        Shape::Tagged(tag, variants) => {
            found.push(tag);
            for variant in *variants {
                found.push(variant.name);
                keys(variant.shape, found);
            }
        }
        _ => {}
    }
}

#[test]
fn it_names_every_key() {
    let mut found = Vec::new();
    keys(&SCENARIO, &mut found);
    assert!(found.len() > 60, "{found:?}");
    for key in found {
        assert!(PAGE.contains(&format!("`{key}`")) || PAGE.contains(&format!("`{key}: ")), "`{key}`");
    }
}

#[test]
fn its_limits_are_those_of_the_program() {
    let limits = transcript_core::simulate::Limits::default();
    for (name, limit) in [
        ("model_calls", limits.model_calls),
        ("tool_calls", limits.tool_calls),
        ("message_bytes", limits.message_bytes),
        ("total_bytes", limits.total_bytes),
        ("depth", limits.depth),
    ] {
        assert!(PAGE.contains(&format!("`{name}` ({limit}")), "{name} is {limit}");
    }
}
