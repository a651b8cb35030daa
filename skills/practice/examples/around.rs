//! scratch
#![allow(clippy::print_stdout, missing_docs)]
use agon_skill::*;
use agon_skill_agent::*;
use agon_skill_practice::*;
use std::sync::Arc;
fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let (level, base) = (args[0].clone(), args[1].clone());
    let game = agon_text_adventure::game();
    let options = game.resolve([("mode", "solo"), ("level", level.as_str()), ("games", "0")]).unwrap();
    let g = game.clone();
    let maker: MakePolicy =
        Arc::new(move |spec| (agon_policy::Players::of(&g).find(&base).unwrap().make)(spec));
    let task = Task::new(&game, options, vec![]).unwrap();
    let cfg = PlayConfig::default();
    let t = std::time::Instant::now();
    let e = explore(&task, &maker, &ExploreConfig::default(), &cfg).unwrap();
    for g in &e.goals {
        println!("{g:?}");
    }
    println!("{} skills in {} episodes, {:?}", e.skills.len(), e.episodes, t.elapsed());
    let c = explore(&task, &maker, &ExploreConfig { is_directed: false, ..ExploreConfig::default() }, &cfg)
        .unwrap();
    println!("control {} skills in {} episodes, {:?}", c.skills.len(), c.episodes, t.elapsed());
    let skills = |e: &Explored| -> Vec<Skill> { e.skills.iter().map(|c| c.skill.clone()).collect() };
    let r =
        play_report(&task, &maker, [&skills(&e), &skills(&c)], LearnConfig::default(), 400, &cfg).unwrap();
    println!(
        "none {:?}\nrandom {:?} {:?}",
        (r.none.score, r.none.gain, r.none.won, r.none.decisions),
        (r.random.score, r.random.gain),
        t.elapsed()
    );
    for u in &r.none.uses {
        println!("{u:?}");
    }
}
