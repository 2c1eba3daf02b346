//! `--help` in Chinese: the library that prints it knows only the English of the doc comments. Ours stands in `help.toml`.

use std::collections::HashMap;
use std::io::IsTerminal;
use std::process::ExitCode;

use clap::builder::PossibleValuesParser;
use clap::{Arg, Command};
use lianzi_console::{prompt, shows_colour};

/// By command, and by what of it is spoken of.
type Chinese = HashMap<String, HashMap<String, String>>;

/// What the library says itself.
const LIBRARY: [(&str, &str); 17] = [
    ("Print this message or the help of the given subcommand(s)", "打印本说明，或指定命令的说明"),
    ("Print help (see more with '--help')", "打印说明（--help 更详细）"),
    ("Print help (see a summary with '-h')", "打印说明（-h 为摘要）"),
    ("Print help", "打印说明"),
    ("Print version", "打印版本"),
    ("Usage:", "用法："),
    ("Commands:", "命令："),
    ("Arguments:", "参数："),
    ("Options:", "选项："),
    ("Examples:", "示例："),
    ("Example:", "示例："),
    ("Possible values:", "可选值："),
    ("[possible values: ", "[可选值："),
    ("[default: ", "[默认："),
    ("[alias: ", "[别名："),
    ("[OPTIONS]", "[选项]"),
    ("<COMMAND>", "<命令>"),
];

/// Prints the help that the arguments ask for.
pub fn print(command: Command) -> ExitCode {
    let table = table();
    let chinese = translated(command, "lianzi", &mut |path, key| find(&table, path, key));
    let Err(help) = chinese.try_get_matches() else { return ExitCode::SUCCESS };
    let is_terminal = if help.use_stderr() { std::io::stderr().is_terminal() } else { std::io::stdout().is_terminal() };
    let styled = help.render();
    let text = if is_terminal && shows_colour() { styled.ansi().to_string() } else { styled.to_string() };
    let text = LIBRARY.iter().fold(text, |text, (english, chinese)| text.replace(english, chinese));
    match help.use_stderr() {
        true => eprint!("{text}"),
        // A reader that hung up is no error.
        false => drop(prompt(&text)),
    }
    ExitCode::from(u8::try_from(help.exit_code()).unwrap_or(2))
}

fn table() -> Chinese {
    toml::from_str(include_str!("help.toml")).expect("a test reads the same file")
}

/// What stands at the command itself, or else what several share.
fn find<'t>(table: &'t Chinese, path: &str, key: &str) -> Option<&'t str> {
    [path, "common"].into_iter().find_map(|section| table.get(section)?.get(key)).map(String::as_str)
}

/// The command, all it can be given and all commands below, in the words that are found.
fn translated<'t>(command: Command, path: &str, find: &mut dyn FnMut(&str, &str) -> Option<&'t str>) -> Command {
    let about = find(path, "about").unwrap_or_default();
    let long = command.get_long_about().is_some().then(|| find(path, "long")).flatten();
    let below = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let (examples, note) = below.split_once("\n\n").unwrap_or((&below, ""));
    let note = if note.is_empty() { None } else { find(path, "note") };
    let with = |more: Option<&str>, text: &str| more.map(|more| format!("{text}\n\n{more}"));
    let command = match with(long, about) {
        Some(long) => command.long_about(long),
        None => command,
    };
    let command = match with(note, examples) {
        Some(below) => command.after_help(below),
        None => command,
    };
    command.about(about.to_string()).mut_args(|arg| translated_argument(arg, path, find)).mut_subcommands(|command| {
        let path = format!("{path} {}", command.get_name());
        translated(command, &path, find)
    })
}

/// The values are read as mere texts from now on, for nobody will ask what was given.
fn translated_argument<'t>(arg: Arg, path: &str, find: &mut dyn FnMut(&str, &str) -> Option<&'t str>) -> Arg {
    if arg.is_hide_set() {
        return arg;
    }
    let id = arg.get_id().to_string();
    let values = arg.get_possible_values();
    let arg = match find(path, &id) {
        Some(help) => arg.help(help.to_string()),
        None => arg,
    };
    if values.iter().all(|value| value.get_help().is_none()) {
        return arg;
    }
    let values = values.into_iter().map(|value| match find(path, &format!("{id} {}", value.get_name())) {
        Some(help) => value.help(help.to_string()),
        None => value,
    });
    arg.value_parser(PossibleValuesParser::new(values))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use clap::CommandFactory;

    use super::*;
    use crate::Arguments;

    #[test]
    fn all_that_help_says_is_said_in_chinese_and_nothing_else() {
        let table = table();
        let (mut used, mut missing) = (HashSet::new(), Vec::new());
        translated(Arguments::command(), "lianzi", &mut |path, key| {
            let found = find(&table, path, key);
            match found {
                Some(text) => drop(used.insert(text.as_ptr())),
                None => missing.push(format!("{path}: {key}")),
            }
            found
        });
        assert!(missing.is_empty(), "help.toml lacks {missing:?}");
        for (section, texts) in &table {
            for (key, text) in texts {
                assert!(used.contains(&text.as_ptr()), "nothing is called [{section}] {key}");
            }
        }
    }
}
