//! Floats are printed as Python and V8 print them, whichever of several texts reads back as the same number.

use proptest::prelude::any;
use serde_json::Value;
use transcript_core::encoding::exact::{canonical_json, python_json, read};
use transcript_core::write;
use transcript_tests::generate::samples;

use crate::readers;

/// The powers of ten and of two with their neighbours: where a printer changes its form.
fn edges() -> Vec<f64> {
    let tens = (-324..=308).filter_map(|power| format!("1e{power}").parse::<f64>().ok());
    let twos = (0..2047).map(|exponent| f64::from_bits(exponent << 52));
    let others = [0.1, 0.3, 1.0 / 3.0, f64::from_bits(1), f64::MAX];
    let around = tens.chain(twos).chain(others).flat_map(|float| [float.next_down(), float, float.next_up()]);
    around.filter(|float| float.is_finite()).collect()
}

/// Floats half way between two of the shortest texts that read back as them. Such a text has `digits` behind the point,
/// and the float one binary digit more, which is a decimal one: a 5. So it is where floats lie about as close to each
/// other as those texts.
fn ties() -> Vec<f64> {
    let of = |(at, bits): (usize, u64)| {
        let digits = 1 + at as i32 / 2 % 20;
        let gap = (f64::from(digits) * std::f64::consts::LOG2_10) as i32 - at as i32 % 2;
        let first = 53 - gap + digits;
        let odd = bits & ((1 << first) - 1) | 1 << first | 1;
        odd as f64 / 2_f64.powi(digits + 1)
    };
    let is_tie = |float: &f64| {
        let exact = format!("{float:.40}");
        exact.trim_end_matches('0').len() == float.to_string().len() + 1
    };
    let ties: Vec<f64> = samples(&any::<u64>(), 4_000, 19).into_iter().enumerate().map(of).collect();
    assert!(ties.iter().all(is_tie));
    ties
}

/// Floats of any size; subnormal ones; and ones with few digits behind the point, such as prices.
fn others() -> Vec<f64> {
    let bits = samples(&any::<u64>(), 6_000, 20);
    let any = bits.iter().map(|bits| f64::from_bits(*bits));
    let subnormal = bits.iter().map(|bits| f64::from_bits(bits >> 12));
    let dyadic = bits.iter().map(|bits| (bits >> 11) as f64 / 2_f64.powi((bits % 60) as i32));
    let prices = bits.iter().map(|bits| (bits >> 30) as f64 / 100.0);
    any.chain(subnormal).chain(dyadic).chain(prices).filter(|float| float.is_finite()).collect()
}

#[test]
fn floats_are_printed_as_python_and_v8_print_them() {
    for (what, floats) in [("ties", ties()), ("edges", edges()), ("floats", others())] {
        // Seventeen digits name one float, and say nothing of the shortest text.
        let texts: Vec<String> = floats.iter().map(|float| format!("{float:.16e}")).collect();
        let exact: Vec<_> = texts.iter().map(|text| read(text).expect("a number")).collect();
        let lines = floats.iter().map(|float| write::json_line(&Value::from(*float))).collect();
        let (python, v8) = (readers::python_json(&texts), readers::v8_json(&texts));
        assert_same(what, "in hashes", exact.iter().map(python_json).collect(), &python);
        assert_same(what, "in tool messages", lines, &python);
        assert_same(what, "in RFC 8785", exact.iter().map(canonical_json).collect(), &v8);
    }
}

#[track_caller]
fn assert_same(what: &str, place: &str, ours: Vec<String>, theirs: &[String]) {
    assert_eq!(ours.len(), theirs.len());
    let wrong: Vec<_> = ours.iter().zip(theirs).filter(|(ours, theirs)| ours != theirs).collect();
    let first = &wrong[..wrong.len().min(10)];
    assert!(wrong.is_empty(), "{} of {} {what} {place} differ, such as {first:?}", wrong.len(), ours.len());
}
