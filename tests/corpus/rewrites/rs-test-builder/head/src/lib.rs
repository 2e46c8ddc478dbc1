//! Which events are due.

#[derive(Debug, Clone, Default, PartialEq)]
pub struct Event {
    pub title: String,
    pub at: u64,
    pub lead: u64,
    pub done: bool,
    pub muted_until: Option<u64>,
    pub tags: Vec<String>,
    pub priority: u8,
}

pub fn is_due(event: &Event, now: u64) -> bool {
    let muted = event.muted_until.is_some_and(|until| now < until);
    !event.done && !muted && now + event.lead >= event.at
}

/// Titles of what is due, most urgent first.
pub fn due(events: &[Event], now: u64) -> Vec<&str> {
    let mut found: Vec<&Event> = events.iter().filter(|event| is_due(event, now)).collect();
    found.sort_by_key(|event| (std::cmp::Reverse(event.priority), event.at));
    found.iter().map(|event| event.title.as_str()).collect()
}
