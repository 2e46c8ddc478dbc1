use shop::opening::{hours, opens_next};
use shop::time::{NoTime, Time};

/// A time as people write it: nobody knows which minute of a day is the 735th.
#[track_caller]
fn time(text: &str) -> Time {
    text.parse().unwrap()
}

#[test]
fn times_are_read() {
    assert_eq!("mon 9:30".parse(), Ok(time("mon 09:30")));
    assert_eq!("Wednesday 00:05".parse(), Ok(time("wed 0:05")));
    assert_eq!("sun 9:30 am".parse(), Ok(time("sun 09:30 AM")));
    assert_eq!("sun 9:30PM".parse(), Ok(time("sun 9:30 pm")));
    assert_eq!("fri 12:15 am".parse(), Ok(time("Friday 12:15am")));
    assert_eq!("fri 12:15 pm".parse(), Ok(time("Friday 12:15pm")));
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
    assert_eq!(opens, time("sat 10:00 am"));
    assert_eq!(closes, time("sat 2:30 pm"));
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
    let next = |text: &str| opens_next(&week, time(text));
    assert_eq!(next("mon 9:00"), None);
    assert_eq!(next("mon 12:30"), Some(time("mon 2:00 pm")));
    assert_eq!(next("tue 10:00"), Some(time("sat 12:00 pm")));
    assert_eq!(next("sun 10:00"), Some(time("mon 9:00")));
    assert_eq!(opens_next(&[], time("mon 0:00")), None);
}
