//! Arguments that cannot be used, in the user's language: the library that reads them speaks English only.

use std::error::Error as _;
use std::ffi::OsString;
use std::net::AddrParseError;
use std::num::{IntErrorKind, ParseFloatError, ParseIntError};
use std::process::ExitCode;

use clap::Command;
use clap::Error;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use lianzi_core::{BadGame, Language, Speak, Text, text};
use lianzi_players::BadPlayer;

use crate::help;
use lianzi_console::{LanguageChoice, language, warn};

/// Says what cannot be used and how the process ends. Help and version come this way too, and are no complaint.
pub fn refuse(error: &Error, command: Command) -> ExitCode {
    let language = spoken(std::env::args_os());
    let is_help = matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand);
    if is_help && language == Language::Chinese {
        return help::print(command);
    }
    match words(error, language) {
        Some(words) => warn(format!("lianzi: {words}")),
        None => error.exit(),
    }
    ExitCode::from(2)
}

/// The language asked for by arguments that could not be read as a whole.
fn spoken(arguments: impl Iterator<Item = OsString>) -> Language {
    let words: Vec<String> = arguments.map(|word| word.to_string_lossy().into_owned()).collect();
    let after = words.windows(2).find(|pair| pair[0] == "--lang").map(|pair| pair[1].as_str());
    let named = after.or_else(|| words.iter().find_map(|word| word.strip_prefix("--lang=")));
    language(match named {
        Some("en") => Some(LanguageChoice::En),
        Some("zh") => Some(LanguageChoice::Zh),
        _ => None,
    })
}

/// What is wrong and how the command is used; nothing for what the library says well enough.
fn words(error: &Error, language: Language) -> Option<String> {
    let what = match error.kind() {
        ErrorKind::ValueValidation => bad_value(error, language),
        ErrorKind::InvalidValue => no_choice(error, language),
        // The rest is plain English already.
        _ if language == Language::English => None,
        kind => in_chinese(kind, error),
    }?;
    let usage = error.get(ContextKind::Usage).map(|usage| format!("\n\n{usage}")).unwrap_or_default();
    let more = language.pick("For more information, try '--help'.", "详情请加 --help。");
    Some(format!("{what}{}\n\n{more}", usage.replace("Usage:", language.pick("Usage:", "用法："))))
}

/// A value that its reader refused.
fn bad_value(error: &Error, language: Language) -> Option<String> {
    let (argument, value) = (one(error, ContextKind::InvalidArg)?, one(error, ContextKind::InvalidValue)?);
    let why = error.source().map(|why| reason(why, language)).unwrap_or_default();
    let text = text!("'{value}' cannot be used for {argument}: {why}", "“{value}”不能用于 {argument}：{why}");
    Some(text.said(language))
}

fn reason(why: &(dyn std::error::Error + 'static), language: Language) -> String {
    if let Some(bad) = why.downcast_ref::<BadGame>() {
        bad.words(language)
    } else if let Some(bad) = why.downcast_ref::<BadPlayer>() {
        bad.words(language)
    } else if let Some(bad) = why.downcast_ref::<Text>() {
        bad.words(language).into()
    } else if let Some(bad) = why.downcast_ref::<ParseIntError>() {
        not_a_count(bad, language).into()
    } else if why.is::<ParseFloatError>() {
        language.pick("a number is needed, such as 0.05", "须为数字，例如 0.05").into()
    } else if why.is::<AddrParseError>() {
        language.pick("write HOST:PORT, such as 127.0.0.1:8710", "请写 HOST:PORT，例如 127.0.0.1:8710").into()
    } else {
        let english = why.to_string();
        match (language, english.split_once(" is not in ")) {
            (Language::Chinese, Some((_, range))) => format!("须在 {range} 之内"),
            _ => english,
        }
    }
}

fn not_a_count(bad: &ParseIntError, language: Language) -> &'static str {
    match bad.kind() {
        IntErrorKind::PosOverflow | IntErrorKind::NegOverflow => language.pick("the number is too large", "数字过大"),
        IntErrorKind::Zero => language.pick("it must be at least 1", "至少为 1"),
        _ => language.pick("a whole number from 0 is needed, such as 20", "须为不小于 0 的整数，例如 20"),
    }
}

/// A value that is none of those to choose from, or none at all.
fn no_choice(error: &Error, language: Language) -> Option<String> {
    let (argument, value) = (one(error, ContextKind::InvalidArg)?, one(error, ContextKind::InvalidValue)?);
    let choices = many(error, ContextKind::ValidValue).join(language.pick(", ", "、"));
    let text = match value.as_str() {
        "" => text!("{argument} needs a value", "{argument} 需要一个值"),
        _ => text!(
            "'{value}' cannot be used for {argument}; choose one of {choices}",
            "“{value}”不能用于 {argument}；可选 {choices}"
        ),
    };
    Some(text.said(language))
}

fn in_chinese(kind: ErrorKind, error: &Error) -> Option<String> {
    let arguments = || many(error, ContextKind::InvalidArg).join(" ");
    Some(match kind {
        ErrorKind::UnknownArgument => {
            format!("没有参数“{}”{}", arguments(), similar(error, ContextKind::SuggestedArg))
        }
        ErrorKind::InvalidSubcommand => format!(
            "没有命令“{}”{}",
            one(error, ContextKind::InvalidSubcommand)?,
            similar(error, ContextKind::SuggestedSubcommand)
        ),
        ErrorKind::MissingSubcommand => {
            format!("请指明命令：{}", many(error, ContextKind::ValidSubcommand).join("、"))
        }
        ErrorKind::MissingRequiredArgument => format!("缺少参数 {}", arguments()),
        ErrorKind::ArgumentConflict => {
            format!("{} 不能与 {} 同时使用", arguments(), many(error, ContextKind::PriorArg).join(" "))
        }
        ErrorKind::TooManyValues => format!("{} 的值太多", arguments()),
        ErrorKind::TooFewValues | ErrorKind::WrongNumberOfValues => format!("{} 的值的个数不对", arguments()),
        ErrorKind::NoEquals => format!("{} 须写作 名称=值", arguments()),
        ErrorKind::InvalidUtf8 => "参数不是 UTF-8 文本".into(),
        _ => return None,
    })
}

fn similar(error: &Error, kind: ContextKind) -> String {
    let names = many(error, kind);
    if names.is_empty() { String::new() } else { format!("；是否要写 {}？", names.join("、")) }
}

fn one(error: &Error, kind: ContextKind) -> Option<String> {
    error.get(kind).map(ContextValue::to_string)
}

fn many(error: &Error, kind: ContextKind) -> Vec<String> {
    match error.get(kind) {
        Some(ContextValue::Strings(words)) => words.clone(),
        Some(ContextValue::StyledStrs(words)) => words.iter().map(ToString::to_string).collect(),
        Some(value) => vec![value.to_string()],
        None => Vec::new(),
    }
}
