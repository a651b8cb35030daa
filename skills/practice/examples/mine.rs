//! scratch
#![allow(clippy::print_stdout, missing_docs)]
use agon_skill::*;
use agon_skill_agent::*;
use agon_skill_distill::*;
use agon_skill_practice::*;
use std::sync::Arc;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let (teacher, level, n, base) =
        (args[0].clone(), args[1].clone(), args[2].parse::<u32>().unwrap(), args[3].clone());
    let game = agon_text_adventure::game();
    let opt = |advice: &str| {
        game.resolve([("mode", "solo"), ("level", level.as_str()), ("games", "0"), ("advice", advice)])
            .unwrap()
    };
    let maker = |name: &str| -> MakePolicy {
        let g = game.clone();
        let name = name.to_owned();
        Arc::new(move |spec| (agon_policy::Players::of(&g).find(&name).unwrap().make)(spec))
    };
    let teach = Task::new(&game, opt("on"), vec![]).unwrap();
    let task = Task::new(&game, opt("off"), vec![]).unwrap();
    let seeds: Vec<Seed<Train>> = Seeds::new(1, 0).range(0, n).collect();
    let cfg = PlayConfig::default();
    let t = std::time::Instant::now();
    let (rollouts, eps) = collect(&teach, &arm(maker(&teacher)), &teacher, &seeds, &cfg).unwrap();
    println!(
        "{rollouts:?} won {} score {:.3} in {:?}",
        eps.iter().filter(|e| e.is_won).count(),
        eps.iter().map(|e| e.score).sum::<f64>() / n as f64,
        t.elapsed()
    );
    let t = std::time::Instant::now();
    let d = distill(&rollouts, &Config::default()).unwrap();
    println!("{:?} in {:?}", d.summary, t.elapsed());
    let test: Vec<Seed<Train>> = Seeds::new(1, 5).range(0, 200).collect();
    let before = play(&task, &arm(maker(&base)), &test, &cfg).unwrap();
    let user = |skills: Vec<Skill>| -> Arm {
        let (g, b) = (game.clone(), maker(&base));
        Arc::new(move |spec| {
            Box::new(SkillUser::new(
                b(spec),
                Kit::new(&g, spec, skills.clone()).unwrap(),
                UserConfig::default(),
            ))
        })
    };
    let mut good = Vec::new();
    for c in &d.candidates {
        let after = play(&task, &user(vec![c.skill.clone()]), &test, &cfg).unwrap();
        let cmp = Comparison::of(&before, &after, &[(c.skill.name.clone(), c.skill.hash.clone())]);
        println!(
            "---- {} link {:?} inst {} gain {:.3} ({:.3}..{:.3}) uses {:?}",
            c.skill.name,
            c.evidence.link,
            c.evidence.instances,
            cmp.gain.mean,
            cmp.gain.low,
            cmp.gain.high,
            (cmp.uses[0].uses, cmp.uses[0].done, cmp.uses[0].aborted, cmp.uses[0].cut)
        );
        println!("{}", c.skill.code);
        println!("pre {:?}\neffect {:?}", c.skill.contract.pre, c.skill.contract.effect);
        if cmp.gain.low > 0.0 {
            good.push((cmp.gain.mean, c.skill.clone()));
        }
    }
    good.sort_by(|a, b| b.0.total_cmp(&a.0));
    let skills: Vec<Skill> = good.into_iter().map(|g| g.1).collect();
    println!("good: {:?}", skills.iter().map(|s| s.name.clone()).collect::<Vec<_>>());
    let report: Vec<Seed<Report>> = Seeds::new(1, 5).range(0, 300).collect();
    let names: Vec<(String, String)> = skills.iter().map(|s| (s.name.clone(), s.hash.clone())).collect();
    println!("{:#?}", compare(&task, &arm(maker(&base)), &user(skills), &names, &report, &cfg).unwrap());
}
