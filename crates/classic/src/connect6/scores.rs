//! What each class is worth, as data, so that it can be changed and learnt.

use std::str::FromStr;

use super::pattern::Class;

/// The report's table 2: one number per class, in its order. A dead class holds what it is worth to an enemy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scores(
    /// The numbers, in the order of the fifteen classes.
    pub [i32; 15],
);

impl Default for Scores {
    fn default() -> Scores {
        Scores([
            60_000_000,  // 六连
            60_000_000,  // 七连
            80_000,      // 活五
            70_000,      // 眠五
            -10_000_000, // 死五
            70_000,      // 活四
            65_000,      // 眠四
            -10_000_000, // 死四
            2_000,       // 活三
            500,         // 朦胧三
            100,         // 眠三
            -1_000,      // 死三
            10,          // 活二
            5,           // 眠二
            -10,         // 死二
        ])
    }
}

impl FromStr for Scores {
    type Err = ();

    /// Fifteen whole numbers joined by `+`, as in `60000000+60000000+80000+70000+-10000000+…`.
    fn from_str(text: &str) -> Result<Scores, ()> {
        let numbers: Result<Vec<i32>, _> = text.split('+').map(str::parse).collect();
        let numbers: [i32; 15] = numbers.map_err(|_| ())?.try_into().map_err(|_| ())?;
        Ok(Scores(numbers))
    }
}

/// Whose dead patterns count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dead {
    /// The report's rule: an enemy's count against the enemy, our own count nothing.
    #[default]
    Split,
    /// Nobody's: without the rule nothing urges to block.
    Plain,
    /// Everybody's: what the report warns of, our own dead patterns as a huge loss.
    Both,
}

impl FromStr for Dead {
    type Err = ();

    fn from_str(text: &str) -> Result<Dead, ()> {
        match text {
            "split" => Ok(Dead::Split),
            "plain" => Ok(Dead::Plain),
            "both" => Ok(Dead::Both),
            _ => Err(()),
        }
    }
}

impl Scores {
    /// What a pattern of ours is worth to us.
    pub fn own(&self, class: Class, dead: Dead) -> i64 {
        self.counted(class, dead == Dead::Both)
    }

    /// What a pattern of the enemy's is worth to the enemy, as we see it.
    pub fn enemy(&self, class: Class, dead: Dead) -> i64 {
        self.counted(class, dead != Dead::Plain)
    }

    fn counted(&self, class: Class, with_dead: bool) -> i64 {
        if class.is_dead() && !with_dead { 0 } else { i64::from(self.0[class as usize]) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(class: Class) -> (i64, i64) {
        let scores = Scores::default();
        (scores.own(class, Dead::Split), scores.enemy(class, Dead::Split))
    }

    #[test]
    fn the_scores_are_those_of_table_two() {
        assert_eq!(split(Class::Six), (60_000_000, 60_000_000)); // S0-32
        assert_eq!(split(Class::Seven), (60_000_000, 60_000_000)); // S0-33
        assert_eq!(split(Class::LiveFive), (80_000, 80_000)); // S0-34
        assert_eq!(split(Class::SleepingFive), (70_000, 70_000)); // S0-35
        assert_eq!(split(Class::DeadFive), (0, -10_000_000)); // S0-36
        assert_eq!(split(Class::LiveFour), (70_000, 70_000)); // S0-37
        assert_eq!(split(Class::SleepingFour), (65_000, 65_000)); // S0-38
        assert_eq!(split(Class::DeadFour), (0, -10_000_000)); // S0-39
        assert_eq!(split(Class::LiveThree), (2_000, 2_000)); // S0-40
        assert_eq!(split(Class::HazyThree), (500, 500)); // S0-41
        assert_eq!(split(Class::SleepingThree), (100, 100)); // S0-42
        assert_eq!(split(Class::DeadThree), (0, -1_000)); // S0-43
        assert_eq!(split(Class::LiveTwo), (10, 10)); // S0-44
        assert_eq!(split(Class::SleepingTwo), (5, 5)); // S0-45
        assert_eq!(split(Class::DeadTwo), (0, -10)); // S0-46
    }

    // S0-100: the rule can be switched off, in both ways one could have done without it.
    #[test]
    fn dead_patterns_can_count_for_nobody_or_for_everybody() {
        let scores = Scores::default();
        let both_sides = |dead| (scores.own(Class::DeadFour, dead), scores.enemy(Class::DeadFour, dead));
        assert_eq!(both_sides(Dead::Plain), (0, 0));
        assert_eq!(both_sides(Dead::Both), (-10_000_000, -10_000_000));
        assert_eq!(scores.own(Class::LiveFour, Dead::Plain), 70_000);
    }

    // S0-99: the scores are data.
    #[test]
    fn scores_are_read_from_text() {
        let printed: Vec<String> = Scores::default().0.iter().map(i32::to_string).collect();
        assert_eq!(printed.join("+").parse(), Ok(Scores::default()));
        assert!("1+2+3".parse::<Scores>().is_err());
        assert!(printed.join(",").parse::<Scores>().is_err());
    }
}
