//! Everything that a seat may see, in full, by request.

use crate::{
    action::{Action, Dir},
    entity::{Bit, named},
    env::{Over, TextAdventure, Verdict},
    log::Note,
    prose,
    set::{Ent, NONE, Set},
};

named! {
    /// One part of an [`Observation`].
    Wish {
        /// What came of the last command and what was noticed since.
        Feedback = "feedback",
        /// The room in words.
        Description = "description",
        /// What one carries in words.
        Inventory = "inventory",
        /// Ways out.
        Exits = "exits",
        /// What is in sight.
        Entities = "entities",
        /// What can be done.
        Admissible = "admissible",
        /// The same as commands.
        Commands = "commands",
        /// Points and time.
        Score = "score",
        /// What is to be done.
        Objective = "objective",
        /// The share of the quest that is left. From full information.
        Potential = "potential",
        /// The planner's next commands. From full information.
        Policy = "policy",
        /// Facts in sight as numbers.
        Facts = "facts",
        /// Notes of what was noticed.
        Events = "events",
        /// What was said.
        Chat = "chat",
        /// What an open question lists.
        Question = "question",
        /// Ways walked so far.
        Map = "map",
        /// Hash of the whole state.
        Hash = "hash",
    }
}

/// What is asked for. What is not costs nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Wishes(u32);

impl Wishes {
    /// Nothing.
    pub const NONE: Self = Self(0);
    /// All that a player may see: everything but what comes from full information.
    pub const FAIR: Self = Self(
        ((1 << Wish::COUNT) - 1)
            & !(1 << Wish::Potential as u32 | 1 << Wish::Policy as u32 | 1 << Wish::Hash as u32),
    );

    /// These and `wish`.
    #[must_use]
    pub const fn with(self, wish: Wish) -> Self {
        Self(self.0 | 1 << wish as u32)
    }

    /// Whether `wish` is one of them.
    pub const fn has(self, wish: Wish) -> bool {
        self.0 >> wish as u32 & 1 == 1
    }
}

/// A fact in sight: a number for what it says and two entities.
///
/// `[0, a, b]`: `a` lies directly in, on or with `b`. `[1 + n, a, 255]`: bit number `n` of [`Bit::ALL`] is true of `a`.
pub type FactTriple = [u32; 3];

/// What one seat may see. Only the parts that were asked for are meaningful; the memory is used again.
#[derive(Clone, PartialEq, Debug)]
pub struct Observation {
    /// What came of the last command and what was noticed since.
    pub feedback: String,
    /// The room in words.
    pub description: String,
    /// What one carries in words.
    pub inventory: String,
    /// The room.
    pub location: Ent,
    /// Ways out: direction, whether the way is open, the room behind it once it was walked.
    pub exits: Vec<(Dir, bool, Option<Ent>)>,
    /// What is in sight.
    pub entities: Set,
    /// What can be done, in ascending order; empty while another seat is asked.
    pub admissible: Vec<Action>,
    /// The same as commands, one a line.
    pub commands: String,
    /// Points of the seat.
    pub score: i16,
    /// Points that can be had.
    pub max_score: i16,
    /// Turns passed.
    pub moves: u16,
    /// What is to be done.
    pub objective: String,
    /// How the episode stands.
    pub over: Over,
    /// What became of the last command.
    pub verdict: Verdict,
    /// Minus the share of the quest that is left, -1 to 0.
    pub potential: f32,
    /// The planner's next commands.
    pub policy: Vec<Action>,
    /// Facts in sight.
    pub facts: Vec<FactTriple>,
    /// What was noticed since the last command.
    pub events: Vec<Note>,
    /// What was last said to the seat.
    pub chat: String,
    /// What an open question lists.
    pub question: Vec<Ent>,
    /// Ways walked so far: from, direction, to.
    pub map: Vec<(Ent, Dir, Ent)>,
    /// Hash of the whole state.
    pub hash: u64,
}

impl Default for Observation {
    fn default() -> Self {
        Self {
            feedback: String::new(),
            description: String::new(),
            inventory: String::new(),
            location: NONE,
            exits: Vec::new(),
            entities: Set::EMPTY,
            admissible: Vec::new(),
            commands: String::new(),
            score: 0,
            max_score: 0,
            moves: 0,
            objective: String::new(),
            over: Over::No,
            verdict: Verdict::Nothing,
            potential: 0.0,
            policy: Vec::new(),
            facts: Vec::new(),
            events: Vec::new(),
            chat: String::new(),
            question: Vec::new(),
            map: Vec::new(),
            hash: 0,
        }
    }
}

impl TextAdventure {
    /// Writes what `seat` may see into `out`, those parts that are asked for; the others keep what they held.
    pub fn look(&mut self, seat: usize, wishes: Wishes, out: &mut Observation) {
        if wishes.has(Wish::Policy) {
            out.policy = self.plan(seat);
        }
        let env = &*self;
        let (state, scope) = (env.state(), env.scope(seat));
        let (story, world) = (state.story(), state.world());
        let is_asked = state.asked() == Some(seat);
        let list = if is_asked { env.actions() } else { &[] };
        (out.location, out.over, out.verdict) = (scope.room, state.over(), state.verdict(seat));
        let write = |wish: Wish, text: &mut String, tell: &mut dyn FnMut(&mut String)| {
            if wishes.has(wish) {
                text.clear();
                tell(text);
            }
        };
        write(Wish::Feedback, &mut out.feedback, &mut |t| state.feedback(seat, t));
        write(Wish::Description, &mut out.description, &mut |t| prose::room(story, world, &scope, t));
        write(Wish::Inventory, &mut out.inventory, &mut |t| prose::inventory(story, world, &scope, t));
        write(Wish::Objective, &mut out.objective, &mut |t| t.push_str(&story.objective));
        write(Wish::Chat, &mut out.chat, &mut |t| t.push_str(state.heard_words(seat)));
        write(Wish::Commands, &mut out.commands, &mut |t| {
            for action in list {
                prose::command_text(story, *action, t);
                t.push('\n');
            }
        });
        if wishes.has(Wish::Score) {
            (out.score, out.max_score, out.moves) = (world.score(seat), story.max_score, world.turn());
        }
        if wishes.has(Wish::Exits) {
            out.exits.clear();
            out.exits.extend(state.ways(seat, &scope));
        }
        if wishes.has(Wish::Entities) {
            out.entities = scope.seen;
        }
        if wishes.has(Wish::Admissible) {
            out.admissible.clear();
            out.admissible.extend_from_slice(list);
        }
        if wishes.has(Wish::Potential) {
            out.potential = state.quest_potential();
        }
        if wishes.has(Wish::Facts) {
            out.facts.clear();
            for e in scope.seen {
                let parent = world.parent(e);
                if parent != NONE {
                    out.facts.push([0, e.into(), parent.into()]);
                }
                let bits = Bit::ALL.iter().filter(|b| world.is(e, **b));
                out.facts.extend(bits.map(|b| [1 + *b as u32, e.into(), NONE.into()]));
            }
        }
        if wishes.has(Wish::Events) {
            out.events.clear();
            out.events.extend(state.news(seat).copied());
        }
        if wishes.has(Wish::Question) {
            out.question.clear();
            out.question.extend(state.question(seat));
        }
        if wishes.has(Wish::Map) {
            out.map.clear();
            out.map.extend(state.map(seat));
        }
        if wishes.has(Wish::Hash) {
            out.hash = state.hash();
        }
    }
}
