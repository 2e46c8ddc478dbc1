use shop::opening::{hours, opens_next};
use shop::time::{NoTime, Time};

#[test]
fn times_are_read() {
    assert_eq!("mon 9:30".parse(), Ok(Time { day: 0, minute: 570 }));
    assert_eq!("Wednesday 00:05".parse(), Ok(Time { day: 2, minute: 5 }));
    assert_eq!("sun 9:30 am".parse(), Ok(Time { day: 6, minute: 570 }));
    assert_eq!("sun 9:30PM".parse(), Ok(Time { day: 6, minute: 1290 }));
    assert_eq!("fri 12:15 am".parse(), Ok(Time { day: 4, minute: 15 }));
    assert_eq!("fri 12:15 pm".parse(), Ok(Time { day: 4, minute: 735 }));
}

#[test]
fn others_are_refused() {
    for text in ["", "mon", "day 9:30", "mon 24:00", "mon 9:60", "mon 13:00 pm", "mon 0:30 am", "mon 9"] {
        assert_eq!(text.parse::<Time>(), Err(NoTime(text.to_string())));
    }
}

#[test]
fn hours_are_read() {
    let (opens, closes) = hours("sat 10:00 am - 2:30 pm").unwrap();
    assert_eq!(opens, Time { day: 5, minute: 600 });
    assert_eq!(closes, Time { day: 5, minute: 870 });
    assert!(hours("sat 10:00 - 9:00").is_err());
    assert!(hours("sat 10:00").is_err());
}

#[test]
fn shop_opens_next() {
    let week = [
        hours("mon 9:00-12:30").unwrap(),
        hours("mon 2:00 pm - 6:00 pm").unwrap(),
        hours("sat 12:00 pm - 4:00 pm").unwrap(),
    ];
    let next = |text: &str| opens_next(&week, text.parse().unwrap());
    assert_eq!(next("mon 9:00"), None);
    assert_eq!(next("mon 12:30"), Some(Time { day: 0, minute: 840 }));
    assert_eq!(next("tue 10:00"), Some(Time { day: 5, minute: 720 }));
    assert_eq!(next("sun 10:00"), Some(Time { day: 0, minute: 540 }));
    assert_eq!(opens_next(&[], Time { day: 0, minute: 0 }), None);
}
