//! Makes the lessons of the folder part of the program: whoever adds a file adds a lesson.

use std::fmt::Write;
use std::path::Path;
use std::{env, fs};

fn main() {
    println!("cargo::rerun-if-changed=lessons");
    let folder = Path::new(&env::var("CARGO_MANIFEST_DIR").expect("cargo says where the crate is")).join("lessons");
    let mut files: Vec<_> = fs::read_dir(&folder)
        .expect("there is a folder of lessons")
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|ending| ending == "lesson"))
        .collect();
    files.sort();
    let mut code = String::from("/// The files of built-in lessons.\nconst FILES: &[(&str, &str)] = &[\n");
    for path in files {
        let name = path.file_name().expect("a file has a name").to_string_lossy();
        writeln!(code, "({name:?}, include_str!({path:?})),").expect("a string takes everything");
    }
    code.push_str("];\n");
    let out = Path::new(&env::var("OUT_DIR").expect("cargo says where to")).join("lessons.rs");
    fs::write(out, code).expect("the folder for what is built can be written to");
}
