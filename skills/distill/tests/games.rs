//! The real games: what is mined from their own players reads as a person would write it, and works on other seeds.

#![allow(clippy::print_stdout, reason = "`--nocapture` shows the code that was found")]

use agon_skill::{Seeds, Train};
use agon_skill_distill::{Candidate, Config, PickConfig, PolicyConfig, Rollouts, distill, pick_rules, policy};
use rl_gym::{
    Actions, Autoreset, BatchConfig, BatchEnv, Decisions, Flags, Game, LaneReset, Options, Policy, VecEnv,
};

/// Plays `episodes` with `bots` (one a seat, in turn) on train seeds and takes every seat in that `keep` names.
fn play(game: &Game, options: &Options, bots: &[&str], keep: &[usize], root: u64, episodes: u32, into: &mut Rollouts) {
    let config = BatchConfig { autoreset: Autoreset::Disabled, ..BatchConfig::lanes(1) };
    let mut env = VecEnv::new(&game.factory(options.clone()), config).expect("it can be made");
    let seats = env.spec().seats;
    let spec = env.spec().clone();
    let name = |seat: usize| bots[seat % bots.len()];
    let bot = |seat: usize| (game.bots.iter().find(|b| b.name == name(seat)).expect("it is known").make)(&spec);
    let mut policies: Vec<Box<dyn Policy>> = (0..seats).map(bot).collect();
    for seed in Seeds::<Train>::new(root, 0).range(0, episodes) {
        env.reset_lanes(&[LaneReset { lane: 0, seed: Some(seed.episode()) }]);
        let mut rngs: Vec<_> = (0..seats as u32).map(|seat| seed.rng(seat)).collect();
        (0..seats).for_each(|seat| policies[seat].begin(seat, seat));
        let traces: Vec<_> = keep.iter().map(|s| (*s, into.begin(seed.number().into(), seed, *s, name(*s)))).collect();
        let mut returns = vec![0.0_f64; seats];
        loop {
            let acting: Vec<usize> =
                (0..seats).filter(|s| env.view().flags(*s).contains(Flags::TO_ACT)).collect();
            if acting.is_empty() {
                break;
            }
            for seat in acting {
                let (batch, actions) = env.parts();
                let mut actions: Actions<'_> = actions;
                let mut given_up = Vec::new();
                let rows = [seat as u32];
                let mut ask = Decisions::new(batch, actions.reborrow(), &rows, &mut rngs, &mut given_up);
                policies[seat].act(&mut ask).expect("it decides");
                let row = actions.row_mut(seat);
                let action = u32::from_ne_bytes(row.try_into().expect("an index"));
                if let Some((_, id)) = traces.iter().find(|t| t.0 == seat) {
                    into.decision(*id, batch.obs(seat), batch.mask(seat), action).expect("legal");
                }
            }
            env.step();
            for (seat, id) in &traces {
                let reward = env.view().reward(*seat);
                returns[*seat] += f64::from(reward);
                into.reward(*id, reward).expect("finite");
            }
        }
        let ends: Vec<(u32, u8, Vec<u8>)> =
            env.view().finals().map(|(end, obs)| (end.seat, end.rank, obs.to_vec())).collect();
        for (seat, id) in &traces {
            let (_, rank, obs) = ends.iter().find(|e| e.0 as usize == *seat).expect("it has ended");
            let score = if seats == 1 { returns[0].clamp(0.0, 1.0) } else { 1.0 - f64::from(*rank) / (seats - 1) as f64 };
            if seed.number() < 4 && seats == 1 { let w = into.words().clone(); let f = |n: &str| w.fact(obs, rl_gym::vocabulary::fact(w.facts(), n).unwrap()); println!("score {score} fact {} of left {} turn {}", f("score"), f("points_left"), f("turn")); }
            into.end(*id, Some(obs), score).expect("open");
        }
    }
}

fn show(candidate: &Candidate) {
    println!("-- [{}] {:?} rate {}", candidate.skill.name, candidate.evidence.link, candidate.skill.contract.rate);
    println!(
        "-- accuracy {:.2?} blind {:.2?} imitated {} of {} rehearsed {}+{}",
        candidate.evidence.accuracy, candidate.evidence.blind, candidate.evidence.imitated,
        candidate.evidence.instances, candidate.evidence.rehearsed_good, candidate.evidence.rehearsed_bad
    );
    println!("{}", candidate.skill.code);
}

fn text(level: &str, bot: &str, root: u64, episodes: u32) -> Rollouts {
    let game = agon_text_adventure::game();
    let advice = if bot == "planner" { "on" } else { "off" };
    let options = game
        .resolve([("mode", "solo"), ("level", level), ("fold", "train"), ("games", "0"), ("advice", advice)])
        .expect("they are known");
    let spec = (game.make)(&options).expect("it can be made").spec().clone();
    let mut rollouts = Rollouts::new(&game, &spec).expect("it has words");
    play(&game, &options, &[bot], &[0], root, episodes, &mut rollouts);
    rollouts
}

#[test]
fn text_adventures_of_the_planner_give_skills() {
    let time = std::time::Instant::now();
    let rollouts = text("8", "planner", 1, 60);
    println!("{rollouts:?} {} bytes, {} rows, {:?}", rollouts.bytes(), rollouts.feature_rows(), time.elapsed());
    let time = std::time::Instant::now();
    let found = distill(&rollouts, &Config::default()).expect("it can be mined");
    println!("{:?}\n{:?}", found.summary, time.elapsed());
    found.candidates.iter().for_each(show);
    let time = std::time::Instant::now();
    let list = policy(&rollouts, &PolicyConfig::default(), &Config::default()).expect("it can be fitted");
    println!("policy {:?}", time.elapsed());
    list.iter().for_each(show);
    let time = std::time::Instant::now();
    let picks = pick_rules(&rollouts, &PickConfig::default(), &Config::default()).expect("it can be fitted");
    println!("picks {:?}", time.elapsed());
    picks.iter().for_each(show);
}

#[test]
fn settlers_give_openings() {
    let game = agon_settlers::game();
    let options = game.defaults();
    let spec = (game.make)(&options).expect("it can be made").spec().clone();
    let mut rollouts = Rollouts::new(&game, &spec).expect("it has words");
    let time = std::time::Instant::now();
    let strong = game.bots.iter().map(|b| b.name).collect::<Vec<_>>();
    println!("{strong:?}");
    play(&game, &options, &["greedy"], &[0, 1, 2, 3], 1, 12, &mut rollouts);
    println!("{rollouts:?} {} bytes, {} rows, {:?}", rollouts.bytes(), rollouts.feature_rows(), time.elapsed());
    let time = std::time::Instant::now();
    let picks = pick_rules(&rollouts, &PickConfig::default(), &Config::default()).expect("it can be fitted");
    println!("picks {:?}", time.elapsed());
    picks.iter().for_each(show);
    let time = std::time::Instant::now();
    let found = distill(&rollouts, &Config::default()).expect("it can be mined");
    println!("{:?}\n{:?}", found.summary, time.elapsed());
    found.candidates.iter().for_each(show);
}

#[test]
fn debug_score() {
    let game = agon_text_adventure::game();
    for (level, bot) in [("8", "planner"), ("8", "explorer"), ("15", "planner"), ("15", "explorer")] {
        let rollouts = text(level, bot, 1, 40);
        println!("{level} {bot} {rollouts:?} {:?}", game.id());
        for c in distill(&rollouts, &Config::default()).expect("mined").candidates.iter() { show(c); }
        for c in policy(&rollouts, &PolicyConfig::default(), &Config::default()).expect("fit").iter() { show(c); }
    }
}
