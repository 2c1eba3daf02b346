//! `lab`: every experiment is listed, and each runs with settings so small that it proves nothing.

use serde_json::Value;

use super::{ok, refused, run, stderr, stdout};

const NAMES: [&str; 10] =
    ["selfplay", "innovations", "learn", "complexity", "modules", "friends", "playouts", "groups", "first", "versions"];

/// Those whose tiny run takes well below a second; the player of `versions` decides itself how long it thinks.
const CHEAP: [&str; 9] =
    ["selfplay", "innovations", "learn", "complexity", "modules", "friends", "playouts", "groups", "first"];

fn tiny(name: &str) -> Value {
    let text = ok(&["lab", name, "--budget", "tiny", "--json"]);
    assert_eq!(text.lines().count(), 1, "one object per experiment");
    serde_json::from_str(&text).unwrap()
}

#[test]
fn the_list_names_every_experiment() {
    let text = ok(&["lab"]);
    for name in NAMES {
        assert!(text.lines().any(|line| line.starts_with(name)), "{name} in\n{text}");
    }
    let listed: Vec<Value> = ok(&["lab", "--json"]).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let names: Vec<&str> = listed.iter().map(|row| row["experiment"].as_str().unwrap()).collect();
    assert_eq!(names, NAMES);
    assert!(ok(&["lab", "--lang", "zh"]).contains("自我对弈"));
}

#[test]
fn an_unknown_experiment_is_refused_with_the_names() {
    refused(&["lab", "alchemy"], 2, "there is no experiment 'alchemy'; the experiments are all, selfplay");
    refused(&["lab", "alchemy", "--lang", "zh"], 2, "没有名为“alchemy”的实验");
    refused(&["lab", "selfplay", "--quick", "--budget", "tiny"], 2, "cannot be used with");
}

#[test]
fn cheap_experiments_report_settings_figures_and_a_conclusion() {
    for name in CHEAP {
        let report = tiny(name);
        assert_eq!(report["experiment"], name);
        assert_eq!(report["settings"]["command"], format!("lianzi lab {name} --budget tiny --seed 1"));
        assert!(!report["tables"][0]["rows"].as_array().unwrap().is_empty(), "{report}");
        let verdict = report["verdict"].as_str().unwrap();
        assert!(["reproduced", "partly", "not-reproduced", "open"].contains(&verdict), "{report}");
        assert!(report["conclusion"].as_str().unwrap().ends_with('.'), "{report}");
    }
}

#[test]
fn the_documents_numbers_stand_beside_ours() {
    let rows = &tiny("complexity")["tables"][1]["rows"];
    assert_eq!((&rows[0]["pairs"], &rows[1]["pairs"]), (&45.into(), &435.into()));
    let modules = &tiny("modules")["tables"][0]["rows"];
    assert_eq!(modules[5]["modules"], "0+1+2+3+4");
    assert_eq!(modules[5]["document_plies"], "5–6");
    assert!(modules[5]["plies"].as_f64().unwrap() >= 1.0);
    let groups = tiny("groups");
    assert_eq!(groups["tables"][0]["rows"][0]["document_games"], "甲乙甲甲");
    assert_eq!(groups["verdict"], "reproduced", "the judge and the oracle agree");
}

#[test]
fn the_same_seed_gives_the_same_figures_whatever_the_concurrency() {
    let first = |more: &[&str]| {
        let arguments = [&["lab", "first", "--budget", "tiny", "--json"], more].concat();
        serde_json::from_str::<Value>(&ok(&arguments)).unwrap()["tables"].clone()
    };
    assert_eq!(first(&["--concurrency", "1"]), first(&["--concurrency", "3"]));
    assert_ne!(first(&["--seed", "1"]), first(&["--seed", "2"]));
}

#[test]
fn words_come_in_both_languages() {
    let text = ok(&["lab", "selfplay", "--budget", "tiny"]);
    assert!(text.contains("Black, 8 rounds") && text.contains("reproduced: "), "{text}");
    let text = ok(&["lab", "selfplay", "--budget", "tiny", "--lang", "zh"]);
    assert!(text.contains("黑，8 回合") && text.contains("复现: "), "{text}");
}

#[test]
fn versions_need_their_player() {
    let output = run(&["lab", "versions", "--budget", "tiny"]);
    match output.status.code() {
        Some(0) => assert!(stdout(&output).contains("v7.2")),
        code => {
            assert_eq!(code, Some(2));
            assert!(stderr(&output).contains("no such player yet"), "{}", stderr(&output));
        }
    }
}

/// The short form of the soak: everybody who takes disk, threads or attention, each beside an honest match, leaves nothing.
#[test]
#[cfg(target_os = "linux")]
fn a_short_soak_bears_every_attack() {
    let said: Value = serde_json::from_str(&ok(&["bench", "soak", "--time", "400ms", "--json"])).unwrap();
    assert_eq!((&said["attacks"], &said["scratch_left"], &said["processes_left"]), (&6.into(), &0.into(), &0.into()));
    assert!(said["sieges"].as_u64() >= Some(4), "each life of the server is attacked: {said}");
}
