//! Durations as people write them: `30s`, `500ms`, `1.5s`, `2m`, `1h`, or a bare number of seconds.

use std::time::Duration;

use lianzi_core::{Text, shorten};

/// Reads a duration.
pub fn parse(text: &str) -> Result<Duration, Text> {
    let text = text.trim();
    let unit_at = text.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(text.len());
    let (number, unit) = text.split_at(unit_at);
    let scale = match unit {
        "ms" => 0.001,
        "s" | "" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => f64::NAN,
    };
    let seconds = number.trim().parse::<f64>().unwrap_or(f64::NAN) * scale;
    // A year is more than any game takes, and small enough for every clock.
    if (0.0..=31_536_000.0).contains(&seconds) {
        return Ok(Duration::from_secs_f64(seconds));
    }
    let text = shorten(text);
    Err(Text::new(
        format!("'{text}' is not a time; write for example 30s, 500ms or 2m"),
        format!("“{text}”不是时间；请写 30s、500ms 或 2m 之类"),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_people_write() {
        for (text, ms) in [("30s", 30_000), ("500ms", 500), ("1.5s", 1500), ("2m", 120_000), ("3", 3000), ("0", 0)] {
            assert_eq!(parse(text), Ok(Duration::from_millis(ms)), "{text}");
        }
        for text in ["", "s", "-1s", "1d", "nan", "inf", "1e99", "soon"] {
            assert!(parse(text).is_err(), "{text}");
        }
    }
}
