//! A bank on the disk: crashes, changes, two writers, going back.

mod common;

use agon_skill_bank::{
    Bank, BankError, Evidence, State,
    bank::Proposal,
    evidence::{Figures, Source},
};
use common::{GAME, Toy, activate, create, filled, open, skill};
use std::{fs, path::Path, sync::Arc};

fn log(folder: &Path) -> String {
    fs::read_to_string(folder.join("log.jsonl")).expect("a log")
}

#[test]
fn what_is_written_is_read() {
    let place = tempfile::tempdir().expect("folder");
    let [active, draft] = filled(place.path());
    let bank = open(place.path()).expect("opens");
    assert_eq!(bank.notices(), [] as [String; 0]);
    assert_eq!(bank.find("fetch").expect("there").state, State::Active);
    assert_eq!(bank.find(&draft[..6]).expect("there").name, "carry");
    assert_eq!(bank.find("carry@1").expect("there").state, State::Draft);
    assert_eq!(bank.evidence(&active).expect("evidence").len(), 8);
    assert_eq!(bank.skills_at(State::Active)[0].code, skill("fetch", 0).code);
    let folder = bank.place(bank.entry(&draft).expect("there"));
    assert_eq!(fs::read_to_string(folder.join("ir.json")).expect("text"), "{\"form\": 1}");
    let error = bank.find("fetsch").expect_err("unknown").to_string();
    assert_eq!(error, "the bank holds no skill fetsch: did you mean fetch?");
    // The figures of the gate stand in the skill's own file since the snapshot.
    let text =
        fs::read_to_string(bank.place(bank.entry(&active).expect("there")).join("skill.json")).expect("text");
    assert!(text.contains("\"gate\": {") && text.contains("\"uplift\": 1.0"), "{text}");
}

#[test]
fn a_skill_that_is_there_is_not_taken_twice_and_a_name_that_is_taken_gives_a_version() {
    let place = tempfile::tempdir().expect("folder");
    let mut bank = create(place.path());
    let first = bank.propose(skill("fetch", 0), None).expect("proposed");
    let same = bank.propose(skill("other_name", 0), None).expect("proposed");
    assert_eq!(same, Proposal::Known(first.hash().to_owned()));
    bank.propose(skill("fetch", 1), None).expect("proposed");
    assert_eq!(bank.find("fetch").expect("there").version, 2);
    assert_eq!(bank.find("fetch@v1").expect("there").hash, first.hash());
    for name in ["", "../up", "Big", "a b", &"x".repeat(65)] {
        assert!(bank.propose(skill(name, 9), None).is_err(), "{name}");
    }
}

#[test]
fn two_processes_do_not_write_at_once() {
    let place = tempfile::tempdir().expect("folder");
    filled(place.path());
    let first = open(place.path()).expect("opens");
    let error = open(place.path()).expect_err("locked");
    assert!(
        matches!(error, BankError::Locked { .. }) && error.to_string().contains("open in another process")
    );
    assert!(matches!(Bank::create(place.path(), GAME, Arc::new(Toy(1))), Err(BankError::Locked { .. })));
    drop(first);
    assert!(open(place.path()).is_ok());
    let error = Bank::create(place.path(), GAME, Arc::new(Toy(1))).expect_err("there is one").to_string();
    assert!(error.contains("there is a bank already"), "{error}");
    let empty = tempfile::tempdir().expect("folder");
    assert!(open(empty.path()).expect_err("none").to_string().contains("there is no bank"));
}

#[test]
fn a_crash_at_any_byte_of_the_last_line_loses_that_line_alone() {
    let place = tempfile::tempdir().expect("folder");
    filled(place.path());
    let whole = log(place.path());
    let lines = whole.lines().count();
    let last = whole[..whole.len() - 1].rfind('\n').expect("lines") + 1;
    for cut in [last + 1, last + 20, whole.len() - 2, whole.len() - 1] {
        fs::write(place.path().join("log.jsonl"), &whole[..cut]).expect("written");
        let mut bank = open(place.path()).expect("opens");
        let notice = &bank.notices()[0];
        assert!(notice.contains(&format!("line {lines}: {} bytes without an end", cut - last)), "{notice}");
        // The skill whose coming was lost has a folder that nobody knows; it may come again.
        assert!(bank.notices()[1].contains("the log does not know it"), "{:?}", bank.notices());
        assert_eq!(log(place.path()), whole[..last]);
        let again = bank.propose(skill("carry", 1), None).expect("proposed");
        assert!(matches!(again, Proposal::New(_)));
        drop(bank);
        assert_eq!(open(place.path()).expect("opens").notices(), [] as [String; 0]);
    }
    // A crash at a line's end, or before the first line.
    fs::write(place.path().join("log.jsonl"), &whole[..last]).expect("written");
    assert_eq!(open(place.path()).expect("opens").notices().len(), 1);
    let empty = tempfile::tempdir().expect("folder");
    drop(create(empty.path()));
    fs::write(empty.path().join("log.jsonl"), "{\"n\":1").expect("written");
    fs::remove_file(empty.path().join("bank.json")).expect("removed");
    assert_eq!(open(empty.path()).expect("opens").game(), GAME);
}

#[test]
fn a_log_that_was_changed_is_found_out_with_the_line() {
    let place = tempfile::tempdir().expect("folder");
    filled(place.path());
    let whole = log(place.path());
    let lines: Vec<&str> = whole.lines().collect();
    let fails = |text: String, line: usize, what: &str| {
        fs::write(place.path().join("log.jsonl"), text).expect("written");
        let error = open(place.path()).expect_err(what);
        let text = error.to_string();
        assert!(matches!(error, BankError::Log { line: l, .. } if l == line as u64), "{what}: {text}");
        assert!(text.contains(what) && text.contains(&format!("line {line}")), "{what}: {text}");
    };
    let join = |lines: &[&str]| lines.join("\n") + "\n";
    // A word, a line left out, two lines swapped, one twice, one emptied, nonsense, the head cut off.
    fails(whole.replacen("\"state\":\"draft\"", "\"state\":\"active\"", 1), 2, "its hash is");
    for gone in 1..lines.len() - 1 {
        let mut less = lines.clone();
        less.remove(gone);
        fails(join(&less), gone + 1, "it follows");
    }
    let mut swapped = lines.clone();
    swapped.swap(2, 3);
    fails(join(&swapped), 3, "it follows");
    fails(join(&[&lines[..3], &lines[2..]].concat()), 4, "it follows");
    fails(whole.replacen('\n', "\n\n", 1), 2, "an empty line");
    fails(format!("what?\n{whole}"), 1, "it has no hash");
    fails(join(&lines[1..]), 1, "it follows");
    // The end cut off: the snapshot knows that there was more.
    fails(join(&lines[..lines.len() - 3]), lines.len() - 2, "says that line");
    // Any single byte.
    for at in (0..whole.len() - 1).step_by(37) {
        let mut bytes = whole.clone().into_bytes();
        bytes[at] ^= 1;
        fs::write(place.path().join("log.jsonl"), bytes).expect("written");
        assert!(open(place.path()).is_err(), "byte {at}");
    }
    fs::write(place.path().join("log.jsonl"), &whole).expect("written");
    assert!(open(place.path()).is_ok());
}

#[test]
fn broken_folders_are_told_and_left_out() {
    let place = tempfile::tempdir().expect("folder");
    let [active, draft] = filled(place.path());
    let skills = place.path().join("skills");
    fs::write(skills.join("carry/v1/main.luau"), "return 1").expect("written");
    fs::write(skills.join("fetch/v1/skill.json"), "{").expect("written");
    fs::create_dir_all(skills.join("fetch/v7")).expect("made");
    fs::write(place.path().join("bank.json"), "[]").expect("written");
    let bank = open(place.path()).expect("opens");
    let told = bank.notices().join("\n");
    for what in
        ["contents hash to", "fetch/v1/skill.json: EOF", "fetch/v7: the log does not know it", "bank.json"]
    {
        assert!(told.contains(what), "{what}: {told}");
    }
    assert_eq!(bank.notices().len(), 4, "{told}");
    assert_eq!(bank.skills_at(State::Active), []);
    assert_eq!(bank.entry(&active).expect("known").state, State::Active);
    assert!(bank.prepared(&draft).expect_err("broken").to_string().contains("its folder is broken"));
    drop(bank);
    assert_eq!(open(place.path()).expect("opens").notices().len(), 3, "bank.json was mended");
}

#[test]
fn changed_evidence_is_refused() {
    let place = tempfile::tempdir().expect("folder");
    let [active, _] = filled(place.path());
    let bank = open(place.path()).expect("opens");
    let folder = bank.place(bank.entry(&active).expect("there")).join("evidence");
    let path = fs::read_dir(folder).expect("folder").next().expect("a file").expect("entry").path();
    let text = fs::read_to_string(&path).expect("text");
    fs::write(&path, text.replace("true", "false")).expect("written");
    assert!(bank.evidence(&active).expect_err("changed").to_string().contains("it was changed"));
    assert!(bank.export(&place.path().join("x.agonbank"), &[State::Active]).is_err());
}

#[test]
fn going_back_is_an_event_and_so_is_going_forth() {
    let place = tempfile::tempdir().expect("folder");
    let mut bank = create(place.path());
    let none = bank.snapshot("empty").expect("written");
    let a = activate(&mut bank, skill("first", 0));
    let one = bank.snapshot("one").expect("written");
    let b = activate(&mut bank, skill("second", 1));
    let two = bank.snapshot("two").expect("written");
    let states = |bank: &Bank| [&a, &b].map(|hash| bank.entry(hash).expect("there").state);
    for (number, expected) in [
        (one, [State::Active, State::RolledBack]),
        (none, [State::RolledBack, State::RolledBack]),
        (two, [State::Active, State::Active]),
        (one, [State::Active, State::RolledBack]),
    ] {
        let lines = bank.events();
        assert_eq!(bank.go_back(number, "to see").expect("back"), Vec::<String>::new());
        assert!(bank.events() > lines);
        assert_eq!(states(&bank), expected);
        drop(bank);
        bank = open(place.path()).expect("opens");
        assert_eq!(states(&bank), expected);
    }
    // What was suspended since stays out.
    bank.go_back(two, "to see").expect("back");
    let alarm = agon_skill_bank::evidence::Monitor {
        outcomes: vec![agon_skill_bank::evidence::Outcome::Abort; 99],
        ..agon_skill_bank::evidence::Monitor::new(0.8, Default::default())
    };
    let alarm = Evidence::new(&b, Source::default(), Figures::Watch(alarm)).expect("figures");
    bank.present(&b, &[alarm]).expect("moves");
    assert_eq!(bank.go_back(two, "to see").expect("back"), ["second version 1 stays suspended"]);
    // Even when it was retired since: something is held against it.
    bank.dismiss(&b, "to see").expect("moves");
    assert_eq!(bank.go_back(two, "to see").expect("back"), ["second version 1 stays retired"]);
    let figures = Figures::Restore { snapshot: two, reason: "please".into() };
    let plea = Evidence::new(&b, Source::default(), figures).expect("figures");
    assert!(bank.present(&b, &[plea]).expect_err("suspended").to_string().contains("it was suspended since"));
    // No reason, no snapshot, a snapshot without the skill.
    let lines = bank.events();
    assert!(bank.go_back(none, " ").is_err() && bank.go_back(9, "to see").is_err());
    let figures = Figures::Restore { snapshot: none, reason: "please".into() };
    bank.dismiss(&a, "to see").expect("moves");
    let lie = Evidence::new(&a, Source::default(), figures).expect("figures");
    assert!(bank.present(&a, &[lie]).expect_err("lie").to_string().contains("snapshot 1 does not hold it"));
    assert_eq!(bank.events(), lines + 1);
    // A snapshot that was changed is told, and is of no use.
    drop(bank);
    let path = place.path().join("snapshots/2.json");
    fs::write(&path, fs::read_to_string(&path).expect("text").replace("first", "thirst")).expect("written");
    let mut bank = open(place.path()).expect("opens");
    assert!(bank.notices()[0].contains("the bank cannot go back to it"), "{:?}", bank.notices());
    assert!(bank.go_back(one, "to see").is_err());
}

#[test]
fn an_audit_makes_every_decision_again() {
    let place = tempfile::tempdir().expect("folder");
    let [active, _] = filled(place.path());
    let mut bank = open(place.path()).expect("opens");
    bank.dismiss(&active, "to see").expect("moves");
    bank.go_back(1, "to see").expect("back");
    assert_eq!(bank.audit(), Vec::<String>::new());
    let folder = bank.place(bank.entry(&active).expect("there")).join("evidence");
    let name = bank.entry(&active).expect("there").evidence[3].clone();
    fs::remove_file(folder.join(format!("{name}.json"))).expect("removed");
    let told = bank.audit();
    assert!(told.len() == 1 && told[0].contains(&name), "{told:?}");
}
