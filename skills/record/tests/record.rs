//! Records: as folders, by hash, and held to the words of their game.

use agon_skill::{
    Budget, Compare, Contract, FORMAT, Kind, Literal, Operand, Param, ParamKind, Proposer, Provenance, Skill,
    SkillError, load, save,
};
use rl_gym::vocabulary::{Fact, Kind as ArgKind, Term, Verb, Vocabulary};
use std::fs;

struct Words;

impl Vocabulary for Words {
    fn version(&self) -> u32 {
        2
    }
    fn facts(&self) -> &'static [Fact] {
        const { &[Fact::number("gold", 0.0, 99.0, "coins"), Fact::holds("lit", "light")] }
    }
    fn fact(&self, _: &[u8], _: usize) -> f32 {
        0.0
    }
    fn verbs(&self) -> &'static [Verb] {
        &[]
    }
    fn kinds(&self) -> &'static [ArgKind] {
        &[ArgKind { name: "node", features: &[] }]
    }
    fn term(&self, _: &[u8], _: u32) -> Option<Term> {
        None
    }
    fn feature(&self, _: &[u8], _: usize, _: u16, _: usize) -> f32 {
        0.0
    }
}

fn skill() -> Skill {
    let literal = |fact: &str, to| Literal { fact: fact.into(), is: Compare::AtLeast, to };
    Skill {
        format: FORMAT.into(),
        name: "fetch_gold".into(),
        version: 1,
        game: "toy-v1".into(),
        vocabulary: 2,
        kind: Kind::Option,
        doc: "fetches gold".into(),
        how_to: vec!["when it is lit".into()],
        tags: vec!["gold".into()],
        params: vec![
            Param {
                name: "want".into(),
                kind: ParamKind::Number { low: 0.0, high: 9.0 },
                default: 2.0,
                doc: String::new(),
            },
            Param {
                name: "at".into(),
                kind: ParamKind::Arg("node".into()),
                default: 0.0,
                doc: "where".into(),
            },
        ],
        tools: Default::default(),
        contract: Contract {
            pre: vec![literal("lit", Operand::Number(1.0))],
            effect: vec![literal("gold", Operand::Change { start_plus: 1.0 })],
            invariant: vec![literal("gold", Operand::Param("want".into()))],
            within: 5,
            rate: 0.8,
        },
        budget: Budget::default(),
        provenance: Provenance {
            proposer: Proposer::Human,
            parents: vec![],
            replays: vec![],
            miner: String::new(),
        },
        stats: Default::default(),
        hash: String::new(),
        code: "return { run = function(ctx) end }\n".into(),
    }
}

#[test]
fn a_folder_gives_back_what_was_saved_and_tells_when_it_was_edited() {
    let place = tempfile::tempdir().expect("folder");
    let folder = place.path().join("fetch_gold");
    save(&folder, &skill()).expect("saved");
    let back = load(&folder).expect("loads");
    assert_eq!(back, Skill { hash: skill().content_hash(), ..skill() });
    // What is known about a skill does not change what it is; what it does, does.
    let known = Skill { stats: [("setup".into(), Default::default())].into(), doc: "else".into(), ..skill() };
    assert_eq!(known.content_hash(), skill().content_hash());
    let other = Skill { budget: Budget { decisions: 9, ..Budget::default() }, ..skill() };
    assert_ne!(other.content_hash(), skill().content_hash());

    let code = folder.join("main.luau");
    fs::write(&code, "return {}\n").expect("edited");
    let error = load(&folder).expect_err("edited").to_string();
    assert!(error.contains("it was edited; gate it as a new version"), "{error}");
    fs::remove_file(&code).expect("gone");
    assert!(matches!(load(&folder), Err(SkillError::File { path, .. }) if path == code));
}

#[test]
fn a_broken_record_is_refused_with_its_place() {
    let place = tempfile::tempdir().expect("folder");
    save(place.path(), &skill()).expect("saved");
    let record = place.path().join("skill.json");
    let whole = fs::read_to_string(&record).expect("text");
    for (from, to, what) in [
        ("\"pre\"", "\"pree\"", "unknown field `pree`"),
        ("\">=\"", "\"=>\"", "unknown variant `=>`"),
        ("\"option\"", "\"macro\"", "unknown variant `macro`"),
        ("\"within\": 5", "\"within\": -5", "invalid value"),
        ("{", "", "expected struct Skill"),
    ] {
        assert!(whole.contains(from), "{from}");
        fs::write(&record, whole.replacen(from, to, 1)).expect("written");
        let error = load(place.path()).expect_err(to).to_string();
        assert!(error.contains(what) && error.contains("skill.json"), "{to}: {error}");
    }
}

#[test]
fn a_contract_speaks_the_words_of_its_game() {
    assert!(skill().check("toy-v1", &Words).is_ok());
    type Change = fn(&mut Skill);
    let cases: [(Change, &str); 20] = [
        (|s| s.format = "skill/2".into(), "format: \"skill/2\": this program reads skill/1"),
        (|s| s.name = "Fetch gold".into(), "name: \"Fetch gold\""),
        (|s| s.game = "toy-v2".into(), "game: it is for toy-v2"),
        (|s| s.vocabulary = 1, "toy-v1 speaks version 2: gate it again"),
        (
            |s| s.contract.pre[0].fact = "lid".into(),
            "contract.pre.lid: \"lid\" is no fact of toy-v1: did you mean \"lit\"?",
        ),
        (|s| s.contract.pre[0].to = Operand::Number(f32::NAN), "NaN is no number"),
        (
            |s| s.contract.pre[0].to = Operand::Change { start_plus: 1.0 },
            "a precondition cannot speak of the start",
        ),
        (|s| s.contract.invariant[0].to = Operand::Param("need".into()), "\"need\" is no parameter"),
        (|s| s.contract.within = 0, "contract.within: 0"),
        (|s| s.contract.rate = 1.5, "contract.rate: 1.5"),
        (|s| s.params[1].kind = ParamKind::Arg("edge".into()), "\"edge\" is no kind of argument"),
        (|s| s.params[0].default = 12.0, "the default 12 is outside 0 to 9"),
        (|s| s.params[1].name = "want".into(), "params.want: it occurs twice"),
        (|s| s.budget.memory = 10, "memory at least 65536 bytes"),
        // A skill writes its own budget, and numbers that JSON cannot hold would be hashed and saved as null.
        (|s| s.budget.step_safepoints = u64::MAX, "step_safepoints: 18446744073709551615"),
        (|s| s.budget.memory = usize::MAX, "at most Budget"),
        (|s| s.budget.decisions = u32::MAX, "at most Budget"),
        (|s| s.code = "-".repeat(1 << 20), "code: 1048576 bytes: at most 262144"),
        (|s| s.params[1].default = f32::INFINITY, "the default inf is no number"),
        (|s| s.contract.effect[0].to = Operand::Change { start_plus: f32::NAN }, "NaN is no number"),
    ];
    for (change, what) in cases {
        let mut broken = skill();
        change(&mut broken);
        let error = broken.check("toy-v1", &Words).expect_err(what).to_string();
        assert!(error.contains(what) && error.contains(&broken.name), "{what}: {error}");
    }
    let mut many = skill();
    many.params = (0..5).map(|i| Param { name: format!("p{i}"), ..skill().params[1].clone() }).collect();
    assert!(many.check("toy-v1", &Words).expect_err("many").to_string().contains("at most 4"));
}
