//! Time and chance.

/// Milliseconds since 1970.
pub(crate) fn now() -> f64 {
    js_sys::Date::now()
}

/// Milliseconds of a steady clock, for measuring.
pub(crate) fn tick() -> f64 {
    leptos::prelude::window().performance().map_or(0.0, |clock| clock.now())
}

/// A new ULID: 48 bits of time and 80 of chance in Crockford's base 32, so that ids sort by age.
pub(crate) fn ulid() -> String {
    const DIGITS: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";
    // A double holds the 48 bits of time exactly.
    let mut time = now() as u64;
    let mut digits: Vec<u8> = (0..16).map(|_| (js_sys::Math::random() * 32.0) as u8).collect();
    for _ in 0..10 {
        digits.push((time % 32) as u8);
        time /= 32;
    }
    digits.iter().rev().filter_map(|&digit| DIGITS.get(usize::from(digit))).map(|&c| char::from(c)).collect()
}

/// Milliseconds since 1970 of a time as ISO 8601 writes it; not a number for any other text.
pub(crate) fn moment(time: &str) -> f64 {
    js_sys::Date::parse(time)
}

/// The time of day a moment had here, as `12:04`.
pub(crate) fn time_of_day(moment: f64) -> String {
    let date = js_sys::Date::new(&moment.into());
    format!("{:02}:{:02}", date.get_hours(), date.get_minutes())
}

/// The same with seconds, as `12:04:09`.
pub(crate) fn time_to_the_second(moment: f64) -> String {
    let date = js_sys::Date::new(&moment.into());
    format!("{:02}:{:02}:{:02}", date.get_hours(), date.get_minutes(), date.get_seconds())
}

/// The day and time of a moment as the language of the page writes them.
pub(crate) fn date(moment: f64) -> String {
    let date = js_sys::Date::new(&moment.into());
    date.to_locale_string(&super::page::language(), &wasm_bindgen::JsValue::UNDEFINED).into()
}
