//! What a teacher should know about a submission, besides its mark. Nothing here costs anything by itself.

use lianzi_core::{Speak, Text, shown, text};

/// Something a teacher should know about a submission.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Remark {
    /// The folder's name is not `<student number>_<system>`.
    Name,
    /// There is no system of this name.
    System(String),
    /// This archive was unpacked.
    Unpacked(String),
    /// This archive is of a kind that cannot be unpacked.
    Foreign(String),
    /// Sources that lie alone, without a folder.
    Bare(String),
    /// Everything lies in this folder of the folder.
    Nested(String),
    /// So many files that a system makes by itself, this one first, were ignored.
    Ignored(String, usize),
    /// This source is missing.
    Source(String),
    /// A code file that should not be there; it is not compiled.
    Extra(String),
    /// A file that is no plain one, too large, in too many folders or not to be read.
    Refused(String),
    /// There are so many more files of the kind named before.
    More(usize),
    /// Sources that do not go together with the rest, which does without them.
    Unused(Vec<String>),
    /// Sources that compile only with these options.
    Lenient(String),
    /// These headers belong to Windows, and ours stood in for them.
    Windows(Vec<String>),
    /// A file is included in other letters than it has.
    Letters {
        /// How it is included.
        wanted: String,
        /// What it is called.
        found: String,
    },
    /// The course's functions are not `extern "C"`, and were compiled as if they were.
    Linkage,
    /// The library or module of this name is missing.
    Strategy(String),
    /// It has another name than it should.
    InPlace {
        /// The name it should have.
        wanted: String,
        /// The one it has.
        found: String,
    },
    /// There are fewer result files than there should be.
    Results {
        /// How many there should be.
        wanted: usize,
        /// How many there are.
        there: usize,
    },
    /// There is no report.
    Report,
    /// This header does not belong to the standard library.
    Header(String),
    /// The sources were not compiled, so the library that came with them plays.
    AsSubmitted,
    /// There is nothing that could play.
    Nothing,
    /// It cannot be read or used, for this reason.
    Unusable(Text),
    /// No player can be named by this file's name.
    Unnamable(String),
    /// This machine lacked something, which is nobody's fault.
    Shortage(Text),
    /// The sources do not compile; the first thing the compiler said.
    NotBuilt(String),
    /// Not all games were played.
    Incomplete,
}

impl Speak for Remark {
    fn text(&self) -> Text {
        match self {
            Remark::Name => {
                Text::fixed("the folder is not named <student number>_<system>", "文件夹未按“<学号>_<系统>”命名")
            }
            Remark::System(system) => text!("unknown system '{system}'", "未知系统“{system}”"),
            Remark::Unpacked(archive) => text!("{archive} was unpacked", "已解压 {archive}"),
            Remark::Foreign(archive) => text!(
                "{archive} cannot be unpacked here: ask for a folder, a .zip or a .tar.gz",
                "{archive} 在此无法解压：请改交文件夹、.zip 或 .tar.gz"
            ),
            Remark::Bare(file) => text!(
                "{file} lies alone: sources are taken in a folder <student number>_<system> or an archive of it",
                "{file} 是单独的文件：源代码须放在“<学号>_<系统>”文件夹或其压缩包中"
            ),
            Remark::Nested(folder) => {
                text!("all lies in the folder {folder} inside", "所有文件位于内层文件夹 {folder}")
            }
            Remark::Ignored(first, count) => {
                text!(
                    "files of the system's own ignored: {count} ({first})",
                    "已忽略系统自带文件 {count} 个（{first}）"
                )
            }
            Remark::Source(file) | Remark::Strategy(file) => text!("{file} is missing", "缺少 {file}"),
            Remark::Extra(file) => text!("{file} should not be there", "多余的代码文件 {file}"),
            Remark::Refused(file) => text!(
                "{file} is a link, no file, too large, too deep or unreadable and was left out",
                "{file} 是链接、非普通文件、过大、过深或无法读取，未使用"
            ),
            Remark::More(count) => text!("and {count} more of these", "此类另有 {count} 个"),
            Remark::Unused(files) => {
                let files = files.join(", ");
                text!("compiles only without {files}", "不含 {files} 才能编译")
            }
            Remark::Lenient(options) => {
                text!("compiles only with the further options {options}", "需另加选项 {options} 才能编译")
            }
            Remark::Windows(headers) => {
                let headers: Vec<String> = headers.iter().map(|header| format!("<{header}>")).collect();
                let headers = headers.join(", ");
                text!(
                    "{headers} of Windows are not on this system: small stand-ins of ours took their place",
                    "{headers} 属于 Windows，本系统没有：已用自带的简化头文件代替"
                )
            }
            Remark::Letters { wanted, found } => {
                text!("includes \"{wanted}\", which is called {found}", "包含 \"{wanted}\"，而文件名为 {found}")
            }
            Remark::Linkage => Text::fixed(
                "getPoint and clearPoint are not extern \"C\": they were compiled as if they were",
                "getPoint 与 clearPoint 未声明为 extern \"C\"：已按 extern \"C\" 编译",
            ),
            Remark::InPlace { wanted, found } => {
                text!("{found} plays in place of {wanted}", "以 {found} 代替 {wanted}")
            }
            Remark::Results { wanted, there } => {
                text!("{there} of {wanted} result files", "结果文件 {there}/{wanted}")
            }
            Remark::Report => Text::fixed("the report is missing", "缺少实验报告"),
            Remark::Header(header) => {
                text!("<{header}> is not of the standard library", "<{header}> 不属于标准库")
            }
            Remark::AsSubmitted => {
                Text::fixed("no sources: the library plays as it was submitted", "无源代码：以提交的策略文件对弈")
            }
            Remark::Nothing => Text::fixed("there is nothing that could play", "没有可对弈的策略"),
            Remark::Unusable(why) => Text::new(shown(&why.english), shown(&why.chinese)),
            Remark::Unnamable(file) => text!(
                "{file} cannot be named as a player: call it by letters, digits, _ and - only",
                "{file} 无法作为棋手指定：文件名请只用字母、数字、_ 与 -"
            ),
            Remark::Shortage(why) => {
                let why = Text::new(shown(&why.english), shown(&why.chinese));
                text!(
                    "this machine lacks something: {why}; nobody is to blame: see to it, and go on with --resume",
                    "本机资源不足：{why}；与任何人无关：请补足后用 --resume 继续"; why
                )
            }
            Remark::NotBuilt(why) => text!("does not compile: {why}", "无法编译：{why}"),
            Remark::Incomplete => Text::fixed("not all games were played", "对局未下完"),
        }
    }
}
