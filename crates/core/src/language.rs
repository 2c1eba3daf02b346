//! The two languages the product speaks.

/// A language for words meant for people.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Language {
    /// English.
    #[default]
    English,
    /// Simplified Chinese.
    Chinese,
}

impl Language {
    /// Chooses between the two versions of one text.
    pub const fn pick<T: Copy>(self, english: T, chinese: T) -> T {
        match self {
            Language::English => english,
            Language::Chinese => chinese,
        }
    }

    /// "five" or "五": the number of stones in a line, as people say it.
    pub fn number(self, n: u8) -> String {
        const ENGLISH: [&str; 11] =
            ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
        const CHINESE: [&str; 11] = ["零", "一", "二", "三", "四", "五", "六", "七", "八", "九", "十"];
        match self.pick(&ENGLISH, &CHINESE).get(usize::from(n)) {
            Some(word) => (*word).to_string(),
            None => n.to_string(),
        }
    }
}
