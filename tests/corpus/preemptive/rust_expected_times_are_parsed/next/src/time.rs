//! A minute of the week.

use std::str::FromStr;

pub const DAYS: [&str; 7] = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Time {
    /// 0 is Monday.
    pub day: usize,
    pub minute: u32,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoTime(pub String);

impl FromStr for Time {
    type Err = NoTime;

    /// Reads a day and a time such as "mon 9:30", "Monday 09:30" or "mon 9:30 am".
    fn from_str(text: &str) -> Result<Self, NoTime> {
        let lower = text.trim().to_lowercase();
        read(&lower).ok_or_else(|| NoTime(text.to_string()))
    }
}

fn read(text: &str) -> Option<Time> {
    let (name, clock) = text.split_once(' ')?;
    let day = DAYS.iter().position(|day| name.starts_with(day))?;
    let (clock, half) = match (clock.strip_suffix("am"), clock.strip_suffix("pm")) {
        (Some(left), _) => (left, Some(0)),
        (_, Some(left)) => (left, Some(12)),
        _ => (clock, None),
    };
    let (hour, minute) = clock.trim().split_once(':')?;
    let (hour, minute): (u32, u32) = (hour.parse().ok()?, minute.parse().ok()?);
    let hour = match half {
        Some(_) if hour == 0 || hour > 12 => return None,
        Some(later) => (hour + later) % 24,
        None => hour,
    };
    (hour < 24 && minute < 60).then_some(Time { day, minute: 60 * hour + minute })
}
