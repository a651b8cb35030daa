//! A player of a few lines that knows nothing but the words for skills: they are enough to play games never seen.

use crate::{fixture::typed, stage::Stage};
use agon_text_adventure::{SkillWords, TextAdventure};
use rl_gym::{
    Pcg64, Vocabulary,
    vocabulary::{Fact, Term, fact},
};
use std::collections::BTreeMap;

fn index(facts: &[Fact], name: &str) -> usize {
    fact(facts, name).unwrap_or_else(|| panic!("no word {name}"))
}

/// What is remembered of an episode, as a skill remembers it in its local variables.
#[derive(Default)]
struct Memory {
    /// How often a term was chosen; walks in each room for themselves.
    tried: BTreeMap<(Term, u16), u32>,
    /// How often one stood in a room.
    visits: BTreeMap<u16, u32>,
}

impl Memory {
    fn key(row: &[u8], term: Term) -> (Term, u16) {
        let is_walk = SkillWords::LISTED.verbs()[usize::from(term.verb)].name == "go";
        (term, if is_walk { room(row) } else { 0 })
    }

    fn score(&self, row: &[u8], term: Term) -> f32 {
        let verb = SkillWords::LISTED.verbs()[usize::from(term.verb)];
        let is = |k: usize, name: &str| {
            let features = SkillWords::LISTED.kinds()[verb.args[k]].features;
            SkillWords::LISTED.feature(row, verb.args[k], term.args[k], index(features, name))
        };
        let tries = *self.tried.get(&Self::key(row, term)).unwrap_or(&0) as f32;
        let once = |score: f32| if tries == 0.0 { score } else { 0.0 };
        match verb.name {
            "unlock" => 10.0,
            "combine" => 9.5,
            "give" => 9.0,
            "light" if is(0, "lamp") > 0.0 => 8.0,
            "offer" => once(6.0),
            "take" => once(5.0),
            "open" => once(4.5),
            "search" => once(3.5),
            "slice" | "dice" | "chop" | "cook" => once(3.0),
            "go" if is(0, "fresh") > 0.0 => 2.8,
            "ask" | "tell" => once(2.6 + 0.1 * is(1, "last")),
            "push" | "pull" | "turn" => once(2.5),
            "read" => once(2.0),
            "put_in" | "put_on" => once(1.9 * is(0, "plain")),
            "go" => {
                let visits = self.visits.get(&(is(0, "room") as u16)).unwrap_or(&0);
                1.5 / (1.0 + *visits as f32) - 0.1 * tries
            }
            _ => -1.0,
        }
    }

    fn choose(&mut self, row: &[u8], rng: &mut Pcg64) -> u32 {
        *self.visits.entry(room(row)).or_default() += 1;
        let terms: Vec<Term> = (0..).map_while(|a| SkillWords::LISTED.term(row, a)).collect();
        let scores: Vec<f32> = terms.iter().map(|t| self.score(row, *t) + 0.05 * rng.unit_f32()).collect();
        let best = (0..terms.len()).max_by(|a, b| scores[*a].total_cmp(&scores[*b])).expect("an action");
        *self.tried.entry(Self::key(row, terms[best])).or_default() += 1;
        best as u32
    }
}

fn room(row: &[u8]) -> u16 {
    SkillWords::LISTED.fact(row, index(SkillWords::LISTED.facts(), "room")) as u16
}

/// Games won of `games`, and turns of those that were won.
fn play(level: &str, games: u64, has_rules: bool) -> (u32, f32) {
    let given = [("mode", "solo"), ("level", level), ("fold", "test")];
    let mut stage = Stage::new(TextAdventure::new(&typed(&given)).expect("games"), 0);
    let (mut won, mut turns) = (0, 0.0);
    for game in 0..games {
        stage.reset(game);
        let (mut rng, mut memory) = (Pcg64::seed(game), Memory::default());
        while !stage.is_over() {
            let action = match has_rules {
                true => memory.choose(&stage.row(0).0, &mut rng),
                false => rng.below(stage.env.actions().len() as u32),
            };
            stage.send(&[action]);
        }
        won += stage.metrics[0] as u32;
        turns += stage.metrics[0] * stage.metrics[2];
    }
    (won, turns / (won as f32).max(1.0))
}

#[test]
fn a_few_rules_in_these_words_win_games_of_the_test_fold() {
    for level in ["3", "5", "8", "10"] {
        let (rules, turns) = play(level, 40, true);
        let (random, other) = play(level, 40, false);
        println!("level {level}: rules {rules} of 40 in {turns:.1} turns, random {random} in {other:.1}");
        assert!(rules >= random + 10, "level {level}: {rules} against {random}");
    }
}
