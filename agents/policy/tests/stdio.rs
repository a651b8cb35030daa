//! The seat protocol without a command line: lines verbatim, answers of every kind, late ones among them.

use agon_policy::stdio::{Decision, End, Event, Foul, Program, Protocol, Wire};
use rl_gym::{Bits, DynEnv, Game};
use std::{
    io::{BufRead, BufReader, PipeReader, PipeWriter, Write, pipe},
    time::Duration,
};

fn game() -> Game {
    agon_classic::games().into_iter().find(|g| g.name == "tic-tac-toe").expect("bundled")
}

fn env() -> Box<dyn DynEnv> {
    (game().make)(&game().defaults()).expect("made")
}

fn protocol() -> Protocol {
    Protocol::of(&*env()).expect("one choice of a list")
}

/// Legal: a1, c1 and c3.
const MASK: &[u64] = &[0b1_0000_0101];

fn mask() -> Bits<'static> {
    Bits::new(MASK, 9)
}

fn decision(obs: &[u8], id: u64, limit_ms: u64) -> Decision<'_> {
    Decision {
        game: 3,
        id,
        seat: 1,
        obs,
        mask: mask(),
        text: None,
        events: None,
        limit: Duration::from_millis(limit_ms),
    }
}

fn row() -> Vec<u8> {
    (0..18).flat_map(|i| f32::from(u8::from(i == 4)).to_ne_bytes()).collect()
}

#[test]
fn lines_are_as_documented() {
    let (p, row) = (protocol(), row());
    assert_eq!(
        p.start(3, 1, 77, false),
        r#"{"type":"start","match":3,"seat":1,"seats":2,"seed":77,"resumed":false}"#
    );
    assert_eq!(
        p.decision(&decision(&row, 9, 500)),
        concat!(
            r#"{"type":"decision","game":"tic-tac-toe-v1","match":3,"id":9,"seat":1,"observation":"#,
            r#"{"mine":[0.0,0.0,0.0,0.0,1.0,0.0,0.0,0.0,0.0],"theirs":[0.0,0.0,0.0,0.0,0.0,0.0,0.0,0.0,0.0]},"#,
            r#""legal":[{"index":0,"name":"a1"},{"index":2,"name":"c1"},{"index":8,"name":"c3"}],"time_limit_s":0.5}"#
        )
    );
    let events = [Event { seat: 0, action: 4, name: "b2".into() }];
    let told =
        p.decision(&Decision { text: Some("a \"board\""), events: Some(&events), ..decision(&row, 9, 500) });
    assert!(told.contains(r#""text":"a \"board\"","legal""#), "{told}");
    assert!(told.contains(r#""events":[{"seat":0,"action":4,"name":"b2"}]"#), "{told}");
    let over = End { game: 3, seat: 1, status: Some("won"), places: vec![1, 0], points: Vec::new() };
    assert_eq!(p.end(&over), r#"{"type":"end","match":3,"seat":1,"status":"won","places":[1,0]}"#);
    assert_eq!(p.end(&End { game: 3, seat: 1, ..End::default() }), r#"{"type":"end","match":3,"seat":1}"#);
}

#[test]
fn answers_are_indices_or_names_and_everything_else_is_a_foul_with_its_mend() {
    let p = protocol();
    assert_eq!(p.read(r#"{"action": 8}"#, mask()), Ok(8));
    assert_eq!(p.read(r#" {"action":"c1","why":"I like it"} "#, mask()), Ok(2));
    // Without masks everything is legal.
    assert_eq!(p.read(r#"{"action": 1}"#, Bits::new(&[], 0)), Ok(1));
    let text = |line: &str| p.read(line, mask()).expect_err("a foul").to_string();
    assert_eq!(text(r#"{"action": 4}"#), "action 4 (b2) is illegal here. 3 legal actions: 0, 2, 8");
    assert_eq!(text(r#"{"action": 9}"#), "no action is called 9: use an index or a name of \"legal\"");
    assert_eq!(
        text(r#"{"action": "C1"}"#),
        "no action is called \"C1\" (nearest legal: \"c1\"): use an index or a name of \"legal\""
    );
    assert_eq!(
        text(r#"{"move": 4}"#),
        "the answer \"{\\\"move\\\": 4}\" names no action: give \"action\" the index or the name of a legal \
         action, such as {\"action\": 0}"
    );
    assert_eq!(
        text("7"),
        "the answer \"7\" is not a JSON object (it is another value): answer one line such as {\"action\": 0}"
    );
    assert!(text(&"x".repeat(500)).len() < 250);
}

/// A wire and the player's ends of it.
fn wired() -> (Wire, BufReader<PipeReader>, PipeWriter) {
    let (to_player, from_us) = pipe().expect("pipe");
    let (to_us, from_player) = pipe().expect("pipe");
    (Wire::new(to_us, from_us).expect("threads"), BufReader::new(to_player), from_player)
}

#[test]
fn late_answers_are_counted_off_and_ids_are_matched() {
    let (p, row) = (protocol(), row());
    let (mut wire, _reader, mut player) = wired();
    let late = |wire: &mut Wire, id| wire.ask(&p, &decision(&row, id, 30));
    assert_eq!(late(&mut wire, 1), Err(Foul::Late { seconds: 0.03 }));
    assert_eq!(late(&mut wire, 2), Err(Foul::Late { seconds: 0.03 }));
    // The answers to 1 (nonsense by now), 2 (with its id), and 3.
    writeln!(player, "nonsense\n\n{{\"id\": 2, \"action\": 0}}\n{{\"action\": 8}}").expect("written");
    assert_eq!(wire.ask(&p, &decision(&row, 3, 5000)), Ok(8));
    writeln!(player, "{{\"id\": 4, \"action\": 2}}").expect("written");
    assert_eq!(wire.ask(&p, &decision(&row, 4, 5000)), Ok(2));
    writeln!(player, "{{\"id\": 6, \"action\": 2}}").expect("written");
    assert_eq!(wire.ask(&p, &decision(&row, 5, 5000)), Err(Foul::OtherDecision { id: 6, asked: 5 }));
    drop(player);
    assert_eq!(wire.ask(&p, &decision(&row, 6, 5000)), Err(Foul::Closed));
}

#[test]
fn an_endless_line_and_a_player_that_reads_nothing_hold_nobody_up() {
    let (p, row) = (protocol(), row());
    let (mut wire, _reader, mut player) = wired();
    let flood = std::thread::spawn(move || player.write_all(&vec![b'x'; 1 << 20]));
    assert_eq!(wire.ask(&p, &decision(&row, 1, 5000)), Err(Foul::TooLong { most: 1 << 16 }));
    assert!(flood.join().expect("ended").is_err(), "the flood was cut");
    let (mut wire, _reader, _player) = wired();
    // Far more than a pipe holds.
    (0..200).for_each(|_| _ = wire.tell("x".repeat(10_000)));
    assert_eq!(wire.ask(&p, &decision(&row, 1, 50)), Err(Foul::Late { seconds: 0.05 }));
    wire.close(Duration::from_millis(10));
}

#[test]
fn everything_told_arrives_before_the_end() {
    let (wire, reader, _player) = wired();
    let heard = std::thread::spawn(move || reader.lines().map_while(Result::ok).count());
    (0..5000).for_each(|i| _ = wire.tell(format!("line {i}")));
    wire.close(Duration::from_secs(20));
    assert_eq!(heard.join().expect("read"), 5000);
}

#[test]
fn programs_that_cannot_be_started_are_refused_at_once() {
    let text = |command: &str| Program::new(protocol(), command).expect_err("refused").to_string();
    let mend = "name a program that is there and may be run";
    assert_eq!(text("  "), format!("\"  \" cannot be started (it is empty): {mend}"));
    assert_eq!(text("sh 'a b"), format!("\"sh 'a b\" cannot be started (a quote is not closed): {mend}"));
    assert!(text("./absent x").starts_with("./absent cannot be started ("));
    assert!(text("'./two words' x").starts_with("./two words cannot be started ("));
}
