//! The library for Python is built with all other tests, from what they share; pytest imports it. What it does is tested there.

/// It lies beside this program, and is what Python calls a module.
#[test]
fn the_library_is_built_and_is_a_module() {
    let program = std::env::current_exe().unwrap();
    let name = format!("{}_lianzi{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    let library = std::fs::read(program.with_file_name(name)).unwrap();
    let name = b"PyInit__lianzi";
    assert!(library.windows(name.len()).any(|window| window == name));
}
