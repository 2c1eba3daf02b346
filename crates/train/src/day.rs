//! Days of the calendar, as a learner's own place has them.

use std::fmt;
use std::str::FromStr;

use lianzi_core::{Text, shorten, text};
use serde::{Deserialize, Serialize};

/// A day, counted from 1970-01-01.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Day(i32);

impl Day {
    /// The day with this number.
    pub const fn new(number: i32) -> Day {
        Day(number)
    }

    /// The day of a time in seconds since 1970, in UTC.
    pub const fn of_seconds(seconds: i64) -> Day {
        Day(seconds.div_euclid(86_400) as i32)
    }

    /// Its number.
    pub const fn number(self) -> i32 {
        self.0
    }

    /// How many days it comes after another.
    pub const fn since(self, other: Day) -> i32 {
        self.0.saturating_sub(other.0)
    }

    /// The day so many later.
    pub const fn later(self, days: u32) -> Day {
        Day(self.0.saturating_add_unsigned(days))
    }

    /// Year, month and day: the civil calendar counted in eras of 400 years that begin in March.
    fn civil(self) -> (i32, u32, u32) {
        let days = i64::from(self.0) + 719_468;
        let era = days.div_euclid(146_097);
        let of_era = days.rem_euclid(146_097);
        let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
        let of_year = of_era - (365 * year + year / 4 - year / 100);
        let month = (5 * of_year + 2) / 153;
        let day = (of_year - (153 * month + 2) / 5 + 1) as u32;
        let month = if month < 10 { month + 3 } else { month - 9 } as u32;
        ((year + era * 400) as i32 + i32::from(month <= 2), month, day)
    }

    fn from_civil(year: i32, month: u32, day: u32) -> Day {
        let year = i64::from(year) - i64::from(month <= 2);
        let era = year.div_euclid(400);
        let of_era = year.rem_euclid(400);
        let month = i64::from(month);
        let of_year = (153 * (if month > 2 { month - 3 } else { month + 9 }) + 2) / 5 + i64::from(day) - 1;
        let days = of_era * 365 + of_era / 4 - of_era / 100 + of_year;
        Day((era * 146_097 + days - 719_468) as i32)
    }
}

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (year, month, day) = self.civil();
        write!(f, "{year:04}-{month:02}-{day:02}")
    }
}

impl FromStr for Day {
    type Err = Text;

    fn from_str(text: &str) -> Result<Day, Text> {
        let bad = || {
            let word = shorten(text);
            text!("{word} is no day; write it as 2026-11-17", "{word} 不是日期；请写成 2026-11-17")
        };
        let parts: Vec<&str> = text.split('-').collect();
        let [year, month, day] = parts[..] else { return Err(bad()) };
        let plain = year.len() == 4 && month.len() == 2 && day.len() == 2;
        let number =
            |part: &str| part.parse::<u32>().ok().filter(|_| plain && part.bytes().all(|b| b.is_ascii_digit()));
        let (Some(year), Some(month), Some(date)) = (number(year), number(month), number(day)) else {
            return Err(bad());
        };
        let day = Day::from_civil(year as i32, month, date);
        // What the calendar does not have comes out as another day.
        if day.civil() == (year as i32, month, date) { Ok(day) } else { Err(bad()) }
    }
}

lianzi_core::written!(Day);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_those_of_the_calendar() {
        for (day, number) in [("1970-01-01", 0), ("2000-02-29", 11_016), ("2026-11-17", 20_774), ("1969-12-31", -1)] {
            assert_eq!(day.parse::<Day>().unwrap(), Day(number));
            assert_eq!(Day(number).to_string(), day);
        }
        for number in (-800_000..800_000).step_by(97) {
            let day = Day(number);
            if (0..=9999).contains(&day.civil().0) {
                assert_eq!(day.to_string().parse::<Day>().unwrap(), day);
            }
        }
        for bad in ["2026-02-29", "2026-13-01", "26-1-1", "2026-11-1七", "", "+026-01-01"] {
            assert!(bad.parse::<Day>().is_err(), "{bad}");
        }
        assert_eq!(Day::of_seconds(-1), Day(-1));
    }
}
