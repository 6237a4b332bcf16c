//! Properties of the forms, tried on generated runs.

#[test]
fn seeds_give_the_same_runs() {
    use transcript_tests::generate::{samples, script::scripts};
    let draw =
        |seed| samples(&scripts(5), 3, seed).iter().map(|script| script.write().full).collect::<Vec<_>>();
    assert_eq!(draw(7), draw(7));
    assert_ne!(draw(7), draw(8));
}
