//! Which events are due.

#[derive(Debug, Clone, PartialEq)]
pub struct Event {
    pub title: String,
    pub at: u64,
    pub lead: u64,
    pub done: bool,
    pub muted_until: Option<u64>,
    pub tags: Vec<String>,
    pub priority: u8,
}

pub fn is_due(event: &Event, now: &u64) -> bool {
    if event.done {
        return false;
    }
    if let Some(until) = event.muted_until {
        if *now < until {
            return false;
        }
    }
    *now + event.lead >= event.at
}

/// Titles of what is due, most urgent first.
pub fn due<'a>(events: &'a [Event], now: &u64) -> Vec<&'a str> {
    let mut found: Vec<&Event> = events.iter().filter(|event| is_due(event, now)).collect();
    found.sort_by_key(|event| (std::cmp::Reverse(event.priority), event.at));
    found.iter().map(|event| event.title.as_str()).collect()
}
