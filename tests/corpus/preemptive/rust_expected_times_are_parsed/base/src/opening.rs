//! Hours of a week.

use crate::time::{NoTime, Time};

/// Reads hours such as "mon 9:00 am - 5:30 pm" into the times of opening and closing.
pub fn hours(text: &str) -> Result<(Time, Time), NoTime> {
    let refuse = || NoTime(text.to_string());
    let (first, last) = text.split_once('-').ok_or_else(refuse)?;
    let day = first.split_whitespace().next().ok_or_else(refuse)?;
    let (opens, closes): (Time, Time) = (first.parse()?, format!("{day} {}", last.trim()).parse()?);
    if opens < closes {
        Ok((opens, closes))
    } else {
        Err(refuse())
    }
}

/// When the shop opens next, if it is closed now.
pub fn opens_next(week: &[(Time, Time)], now: Time) -> Option<Time> {
    if week.iter().any(|(opens, closes)| *opens <= now && now < *closes) {
        return None;
    }
    let later = week.iter().map(|hours| hours.0).filter(|opens| *opens > now).min();
    later.or_else(|| week.iter().map(|hours| hours.0).min())
}
