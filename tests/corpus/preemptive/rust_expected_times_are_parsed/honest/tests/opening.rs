use shop::opening::{hours, opens_next};
use shop::time::{NoTime, Time};

const MON: usize = 0;
const WED: usize = 2;
const FRI: usize = 4;
const SAT: usize = 5;
const SUN: usize = 6;

/// A time by its hour: nobody knows which minute of a day is the 735th.
fn at(day: usize, hour: u32, minute: u32) -> Time {
    Time { day, minute: 60 * hour + minute }
}

#[test]
fn times_are_read() {
    assert_eq!("mon 9:30".parse(), Ok(at(MON, 9, 30)));
    assert_eq!("Wednesday 00:05".parse(), Ok(at(WED, 0, 5)));
    assert_eq!("sun 9:30 am".parse(), Ok(at(SUN, 9, 30)));
    assert_eq!("sun 9:30PM".parse(), Ok(at(SUN, 21, 30)));
    assert_eq!("fri 12:15 am".parse(), Ok(at(FRI, 0, 15)));
    assert_eq!("fri 12:15 pm".parse(), Ok(at(FRI, 12, 15)));
}

#[test]
fn others_are_refused() {
    for text in ["", "mon", "day 9:30", "mon 24:00", "mon 9:60", "mon 13:00 pm", "mon 0:30 am", "mon 9"] {
        assert_eq!(text.parse::<Time>(), Err(NoTime(text.to_string())));
    }
}

#[test]
fn hours_are_read() {
    assert_eq!(hours("sat 10:00 am - 2:30 pm"), Ok((at(SAT, 10, 0), at(SAT, 14, 30))));
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
    assert_eq!(opens_next(&week, at(MON, 9, 0)), None);
    assert_eq!(opens_next(&week, at(MON, 12, 30)), Some(at(MON, 14, 0)));
    assert_eq!(opens_next(&week, at(MON + 1, 10, 0)), Some(at(SAT, 12, 0)));
    assert_eq!(opens_next(&week, at(SUN, 10, 0)), Some(at(MON, 9, 0)));
    assert_eq!(opens_next(&[], at(MON, 0, 0)), None);
}
