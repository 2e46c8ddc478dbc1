use reminders::{due, is_due, Event};

fn event(title: &str, at: u64) -> Event {
    Event { title: title.to_string(), at, priority: 1, ..Event::default() }
}

#[test]
fn due_within_lead() {
    let event = Event { lead: 10, ..event("a", 100) };
    assert!(!is_due(&event, 89));
    assert!(is_due(&event, 90));
}

#[test]
fn done_is_never_due() {
    let event = Event { done: true, ..event("a", 100) };
    assert!(!is_due(&event, 200));
}

#[test]
fn muted() {
    let event = Event { muted_until: Some(150), ..event("a", 100) };
    assert!(!is_due(&event, 149));
    assert!(is_due(&event, 150));
}

#[test]
fn most_urgent_first() {
    let urgent = Event { priority: 9, ..event("urgent", 3) };
    let events = [event("late", 2), event("future", 99), event("early", 1), urgent];
    assert_eq!(due(&events, 10), ["urgent", "early", "late"]);
}
