//! Why players fail, in words of our own: those who find it out say it in English, records keep that, and people see it
//! in their language. Foreign words within a reason stay as they are.

use crate::Text;

/// The reasons in both languages, with `{}` where one holds something foreign or another reason.
const KNOWN: [(&str, &str); 28] = [
    ("at the start: {}", "启动时：{}"),
    ("while it was loaded: {}", "加载时：{}"),
    ("at work: {}", "工作时：{}"),
    ("in getPoint: {}", "在 getPoint 中：{}"),
    ("in clearPoint: {}", "在 clearPoint 中：{}"),
    ("in the strategy: {}", "在策略中：{}"),
    ("after the answer: {}", "作答之后：{}"),
    ("ended before its first answer: {}", "尚未应答就已结束：{}"),
    ("exit status: {}", "退出码 {}"),
    ("signal: {}", "信号 {}"),
    ("exception {}", "异常 {}"),
    ("closed its output", "关闭了输出"),
    ("its scratch folder is full", "临时文件夹已满"),
    ("it needs more than its {} MiB of memory: {}", "所需内存超过限额 {} MiB：{}"),
    ("it has more than {} threads", "线程超过 {} 个"),
    ("it was not loaded within {} s", "{} 秒内未能加载"),
    ("no answer within {}", "{} 内没有应答"),
    ("{}: not found", "{}：未找到"),
    ("an empty command", "命令为空"),
    ("foreign code has no cage here", "此处没有可用的隔离进程"),
    ("the program is gone", "程序已退出"),
    ("the strategy is gone", "策略已退出"),
    ("the engine is gone", "引擎已退出"),
    ("the engine's thread is gone", "引擎线程已退出"),
    ("it cannot be told of half a turn or of set stones", "无法告知它半手棋或预先摆好的棋子"),
    ("it cannot be given an opening; play with --openings none", "无法给它开局；请用 --openings none"),
    (
        "this system cannot lock foreign code in: it lacks {} ({}); --no-cage runs it unlocked, with all your rights",
        "本系统无法隔离外来程序：缺少 {}（{}）；--no-cage 将不加隔离地运行，程序拥有你的全部权限",
    ),
    (
        "no Python 3 was found ({}); install it so that python3 starts it",
        "未找到 Python 3（{}）；请安装，使 python3 命令可用",
    ),
];

/// A reason as a record tells it, in both languages.
pub fn known_reason(how: &str) -> Text {
    Text::new(how.to_string(), in_chinese(how))
}

fn in_chinese(how: &str) -> String {
    let known = KNOWN.iter().find_map(|(english, chinese)| Some((held(english, how)?, chinese)));
    let Some((held, chinese)) = known else { return how.into() };
    let mut pieces = chinese.split("{}");
    let first = pieces.next().unwrap_or_default().to_string();
    held.into_iter().zip(pieces).fold(first, |told, (part, piece)| told + &in_chinese(part) + piece)
}

/// What stands in the places of a form, if the text has this form.
fn held<'a>(form: &str, text: &'a str) -> Option<Vec<&'a str>> {
    let mut pieces = form.split("{}");
    let mut rest = text.strip_prefix(pieces.next()?)?;
    let mut held: Vec<&str> = Vec::new();
    while let Some(piece) = pieces.next() {
        // The last piece ends the text; any other ends at its first place.
        let end = if pieces.clone().next().is_none() { rest.strip_suffix(piece)?.len() } else { rest.find(piece)? };
        held.push(&rest[..end]);
        rest = &rest[end + piece.len()..];
    }
    rest.is_empty().then_some(held)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_own_words_are_told_in_chinese_and_foreign_ones_as_they_are() {
        for (english, chinese) in [
            ("while it was loaded: signal: 11 (SIGSEGV): oh {} no", "加载时：信号 11 (SIGSEGV): oh {} no"),
            ("in getPoint: its scratch folder is full", "在 getPoint 中：临时文件夹已满"),
            ("it was not loaded within 0.5 s", "0.5 秒内未能加载"),
            ("no answer within 200ms", "200ms 内没有应答"),
            ("ended before its first answer: exit status: 0", "尚未应答就已结束：退出码 0"),
            ("./engine: not found", "./engine：未找到"),
            ("out of ideas", "out of ideas"),
            ("", ""),
        ] {
            assert_eq!(known_reason(english), Text::new(english, chinese));
        }
        let lacks = "this system cannot lock foreign code in: it lacks seccomp (no (x)); \
                     --no-cage runs it unlocked, with all your rights";
        assert!(known_reason(lacks).chinese.contains("缺少 seccomp（no (x)）"));
    }
}
