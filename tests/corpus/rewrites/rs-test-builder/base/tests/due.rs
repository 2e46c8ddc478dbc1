use reminders::{due, is_due, Event};

#[test]
fn due_within_lead() {
    let event = Event {
        title: "a".to_string(),
        at: 100,
        lead: 10,
        done: false,
        muted_until: None,
        tags: vec![],
        priority: 1,
    };
    assert!(!is_due(&event, &89));
    assert!(is_due(&event, &90));
}

#[test]
fn done_is_never_due() {
    let event = Event {
        title: "a".to_string(),
        at: 100,
        lead: 0,
        done: true,
        muted_until: None,
        tags: vec![],
        priority: 1,
    };
    assert!(!is_due(&event, &200));
}

#[test]
fn muted() {
    let event = Event {
        title: "a".to_string(),
        at: 100,
        lead: 0,
        done: false,
        muted_until: Some(150),
        tags: vec![],
        priority: 1,
    };
    assert!(!is_due(&event, &149));
    assert!(is_due(&event, &150));
}

#[test]
fn most_urgent_first() {
    let early = Event {
        title: "early".to_string(),
        at: 1,
        lead: 0,
        done: false,
        muted_until: None,
        tags: vec![],
        priority: 1,
    };
    let late = Event { title: "late".to_string(), at: 2, ..early.clone() };
    let urgent = Event { title: "urgent".to_string(), at: 3, priority: 9, ..early.clone() };
    let future = Event { title: "future".to_string(), at: 99, ..early.clone() };
    assert_eq!(due(&[late, future, early, urgent], &10), ["urgent", "early", "late"]);
}
