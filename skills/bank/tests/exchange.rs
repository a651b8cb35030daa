//! A bank as one file, in other words, with tools.

mod common;

use agon_skill::Proposer;
use agon_skill_bank::{Bank, BankError, Gate, State, bank::Arrival};
use common::{GAME, Toy, activate, again, create, filled, open, skill};
use std::{fs, sync::Arc};

#[test]
fn a_bank_goes_through_one_file_into_another() {
    let (here, there) = (tempfile::tempdir().expect("folder"), tempfile::tempdir().expect("folder"));
    let [active, draft] = filled(here.path());
    let bank = open(here.path()).expect("opens");
    let path = here.path().join("all.agonbank");
    assert_eq!(bank.export(&path, &State::ALL).expect("written"), 2);
    // Among the others: the same skill under another name, another skill under the same name.
    let mut other = create(there.path());
    other.propose(skill("carry", 7), None).expect("proposed");
    let seen = other.import(&path, false).expect("read");
    assert_eq!((seen.known.len(), seen.refused.len()), (0, 0));
    let mut expected = vec![(active.clone(), State::Candidate), (draft.clone(), State::Candidate)];
    expected.sort();
    let mut added = seen.added.clone();
    added.sort();
    assert_eq!(added, expected);
    let carry = other.entry(&draft).expect("there");
    assert_eq!((carry.name.as_str(), carry.version), ("carry", 2));
    let came = carry.skill.as_ref().expect("readable");
    assert_eq!(
        (came.provenance.proposer, &came.provenance.parents),
        (Proposer::Transfer, &vec![draft.clone()])
    );
    assert_eq!(came.code, skill("carry", 1).code);
    assert!(other.place(carry).join("ir.json").exists());
    assert_eq!(other.evidence(&active).expect("evidence").len(), 1, "G0 alone");
    // Once more: all known.
    let seen = other.import(&path, true).expect("read");
    assert_eq!((seen.added.len(), seen.known.len()), (0, 2));
    // With the evidence: what was active is suspended until it is gated here.
    let third = tempfile::tempdir().expect("folder");
    let mut bank = create(third.path());
    bank.import(&path, true).expect("read");
    let entry = bank.entry(&active).expect("there");
    assert_eq!((entry.state, entry.evidence.len()), (State::Suspended, 8));
    assert!(matches!(entry.how, Arrival::Imported { state: State::Active, .. }));
    assert_eq!(bank.entry(&draft).expect("there").state, State::Candidate);
    assert!(bank.present(&active, &again(&active, 0)).is_err(), "the evidence of elsewhere is not enough");
    assert_eq!(bank.present(&active, &again(&active, 3)).expect("moves"), State::Active);
    drop(bank);
    assert_eq!(open(third.path()).expect("opens").entry(&active).expect("there").state, State::Active);
}

#[test]
fn a_file_that_was_cut_or_changed_or_is_for_another_game_is_refused() {
    let place = tempfile::tempdir().expect("folder");
    filled(place.path());
    let bank = open(place.path()).expect("opens");
    let path = place.path().join("all.agonbank");
    bank.export(&path, &State::ALL).expect("written");
    let whole = fs::read(&path).expect("bytes");
    let target = tempfile::tempdir().expect("folder");
    let mut other = create(target.path());
    let before = other.events();
    for cut in [0, 5, 20, 41, 60, whole.len() - 1] {
        fs::write(&path, &whole[..cut]).expect("written");
        assert!(matches!(other.import(&path, true), Err(BankError::Form { .. })), "{cut}");
    }
    for at in (0..whole.len()).step_by(13) {
        let mut bytes = whole.clone();
        bytes[at] ^= 4;
        fs::write(&path, bytes).expect("written");
        assert!(matches!(other.import(&path, true), Err(BankError::Form { .. })), "byte {at}");
    }
    assert_eq!(other.events(), before, "nothing came of it");
    fs::write(&path, &whole).expect("written");
    let elsewhere = tempfile::tempdir().expect("folder");
    let mut chess = Bank::create(elsewhere.path(), "chess-v1", Arc::new(Toy(1))).expect("a bank");
    let error = chess.import(&path, false).expect_err("another game").to_string();
    assert!(error.contains("it holds skills for toy-v1: give a file for chess-v1"), "{error}");
    // The same game in other words: each skill is told.
    let newer = tempfile::tempdir().expect("folder");
    let mut newer = Bank::create(newer.path(), GAME, Arc::new(Toy(2))).expect("a bank");
    let seen = newer.import(&path, false).expect("read");
    assert!(seen.refused.len() == 2 && seen.refused[0].1.contains("gate it again"), "{seen:?}");
}

#[test]
fn new_words_suspend_what_is_active_and_offer_it_again() {
    let place = tempfile::tempdir().expect("folder");
    let [active, draft] = filled(place.path());
    let bank = Bank::open(place.path(), GAME, Arc::new(Toy(2))).expect("opens");
    assert!(
        bank.notices()[0].contains("it is for toy-v1 2 now: 2 skills need their gates again"),
        "{bank:?}"
    );
    assert_eq!(bank.entry(&active).expect("there").state, State::Suspended);
    assert_eq!(bank.entry(&draft).expect("there").state, State::Rejected);
    let heir = bank.find("fetch").expect("there").clone();
    let renewed = heir.skill.as_ref().expect("readable");
    assert_eq!((heir.version, heir.state, renewed.vocabulary), (2, State::Suspended, 2));
    assert_eq!(
        (&renewed.provenance.parents, &renewed.code),
        (&vec![active.clone()], &skill("fetch", 0).code)
    );
    assert_eq!(bank.find("carry").expect("there").state, State::Draft);
    drop(bank);
    // Opening again changes nothing; older words are refused.
    let mut bank = Bank::open(place.path(), GAME, Arc::new(Toy(2))).expect("opens");
    assert_eq!(bank.notices(), [] as [String; 0]);
    // G1 to G3 in the new words, and the old one makes room.
    assert_eq!(bank.present(&heir.hash, &again(&heir.hash, 0)).expect("moves"), State::Active);
    assert_eq!(bank.entry(&active).expect("there").state, State::Retired);
    let last = bank.evidence(&active).expect("evidence").pop().expect("some");
    assert_eq!(last.gate(), Gate::Retirement);
    // Going back to old words is no way.
    assert!(bank.go_back(1, "to see").expect_err("old words").to_string().contains("use a later snapshot"));
    drop(bank);
    let error = open(place.path()).expect_err("older").to_string();
    assert!(error.contains("use the program that wrote it, or a newer one"), "{error}");
    assert!(Bank::open(place.path(), "chess-v1", Arc::new(Toy(2))).is_err());
    // Words that are gone: it stays out of use, and is told.
    let bank = Bank::open(place.path(), GAME, Arc::new(Toy(3))).expect("opens");
    assert!(bank.notices().iter().any(|n| n.contains("\"gold\" is no fact")), "{:?}", bank.notices());
    assert_eq!(bank.skills_at(State::Active), []);
}

#[test]
fn a_new_version_of_the_game_counts_as_new_words() {
    let place = tempfile::tempdir().expect("folder");
    let [active, _] = filled(place.path());
    let bank = Bank::open(place.path(), "toy-v2", Arc::new(Toy(1))).expect("opens");
    assert_eq!(bank.game(), "toy-v2");
    assert_eq!(bank.entry(&active).expect("there").state, State::Suspended);
    assert_eq!(bank.find("fetch").expect("there").skill.as_ref().expect("readable").game, "toy-v2");
}

#[test]
fn tools_go_with_the_skills_that_call_them() {
    let place = tempfile::tempdir().expect("folder");
    let mut bank = create(place.path());
    let mut tool = skill("sums", 3);
    tool.kind = agon_skill::Kind::Tool;
    tool.contract = Default::default();
    tool.code = "return { add = function(a, b) return a + b end }".into();
    tool.hash = tool.content_hash();
    let mut caller = skill("caller", 4);
    caller.tools.insert("sums".into(), tool.hash.clone());
    caller.hash = caller.content_hash();
    assert!(
        !agon_skill_bank::gates::static_gate(&bank, &caller).expect("evidence").passed(),
        "its tool is missing"
    );
    bank.propose(tool.clone(), None).expect("proposed");
    let tool_evidence = agon_skill_bank::gates::static_gate(&bank, &tool).expect("evidence");
    assert_eq!(bank.present(&tool.hash, &[tool_evidence]).expect("moves"), State::Candidate);
    let hash = activate(&mut bank, caller);
    assert_eq!(
        bank.skills_at(State::Active).iter().map(|s| s.name.as_str()).collect::<Vec<_>>(),
        ["caller", "sums"]
    );
    assert!(bank.prepared(&hash).is_ok());
    let path = place.path().join("all.agonbank");
    assert_eq!(bank.export(&path, &[State::Active]).expect("written"), 2);
    let there = tempfile::tempdir().expect("folder");
    let mut other = create(there.path());
    let seen = other.import(&path, true).expect("read");
    assert_eq!(seen.added, [(tool.hash.clone(), State::Candidate), (hash.clone(), State::Suspended)]);
    // Without its tool it is left out, and told.
    drop(bank);
    fs::remove_dir_all(place.path().join("skills/sums")).expect("removed");
    let bank = open(place.path()).expect("opens");
    assert!(
        bank.notices().iter().any(|n| n.contains("caller version 1 calls the tool sums")),
        "{:?}",
        bank.notices()
    );
    assert_eq!(bank.skills_at(State::Active), []);
}
