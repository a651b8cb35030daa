//! Writes the row of one seat.

use super::fields::{ACTIONS, COLUMNS, DIR_CODE, ENTITY_ROWS, NO_ROW, TOPIC_CODE, WORDS, at, col};
use crate::{
    action::{Action, DIR_BASE, Dir, Slot, Verb},
    effect::{COOKED, CUT},
    entity::{Attr, Bit},
    env::{Config, Mode, State},
    log::What,
    rules,
    scope::Scope,
    set::{Ent, NONE, Set},
    world::NO_DEAL,
};
use rl_gym::BitsMut;

/// Values of an object of a triple: none, an entity, a direction or a topic.
pub(crate) const OBJECTS: usize = 1 + DIR_BASE as usize + Dir::COUNT;

/// The value of an object of a triple.
pub(crate) const fn object(e: Ent) -> u32 {
    if e == NONE { 0 } else { e as u32 + 1 }
}

/// Allows the first `len` actions.
#[inline]
pub(crate) fn mask_list(len: usize, mask: &mut BitsMut<'_>) {
    let mut words = [0u64; ACTIONS / 64];
    words[..len / 64].fill(u64::MAX);
    if !len.is_multiple_of(64) {
        words[len / 64] = (1 << (len % 64)) - 1;
    }
    mask.copy_from(&words);
}

/// Allows every verb, first object and second object that some action has.
pub(crate) fn mask_triple(list: &[Action], mask: &mut BitsMut<'_>) {
    mask.fill(false);
    let first = Verb::COUNT;
    for action in list {
        mask.set(action.verb as usize, true);
        mask.set(first + object(action.a) as usize, true);
        mask.set(first + OBJECTS + object(action.b) as usize, true);
    }
}

const fn byte(x: usize) -> u8 {
    if x > 255 { 255 } else { x as u8 }
}

/// Replaces `row` by what `seat` may see. `list` is what it can do now, empty when it is not asked; `advice` the
/// planner's next action + 1 or 0.
pub(crate) fn write(
    state: &State,
    config: &Config,
    seat: usize,
    scope: &Scope,
    list: &[Action],
    advice: u16,
    row: &mut [u8],
) {
    row.fill(0);
    let rows = entities(state, seat, scope, row);
    scalars(state, config, seat, scope, row);
    exits(state, seat, scope, &rows, row);
    let deal = state.world.deal(seat);
    if deal != NO_DEAL {
        for (i, e) in [deal.from, deal.give, deal.want].into_iter().enumerate() {
            row[at::deal + i] = rows[usize::from(e)];
        }
    }
    actions(list, &rows, row);
    words(state, seat, scope, row);
    row[at::goal_words..][..=WORDS].copy_from_slice(state.game.tokens.goal());
    row[at::advice] = advice as u8;
    row[at::advice + 1] = (advice >> 8) as u8;
}

fn scalars(state: &State, config: &Config, seat: usize, scope: &Scope, row: &mut [u8]) {
    let (story, world) = (state.story(), &state.world);
    let seats = state.num_seats();
    row[at::seat + seat] = 1;
    row[at::seated..at::seated + seats].fill(1);
    row[at::mode + config.mode as usize] = 1;
    row[at::turn] = byte(world.turn().into());
    row[at::turns_left] = byte(usize::from(state.cap(config).saturating_sub(world.turn())));
    let score = match config.mode {
        Mode::Coop => (0..seats).map(|s| i32::from(world.score(s))).sum(),
        Mode::Solo | Mode::Rival => i32::from(world.score(seat)),
    };
    row[at::score] = score.clamp(0, 255) as u8;
    if config.mode != Mode::Rival {
        row[at::max_score] = story.max_score.clamp(0, 255) as u8;
    }
    row[at::first] = u8::from(state.initiative() == seat);
    row[at::lit] = scope.is_lit.into();
    let carried = scope.held - *world.set(Bit::Worn);
    row[at::load] = byte(carried.iter().map(|e| usize::from(story.entity(e).size)).sum());
    row[at::strength] = story.entity(scope.me).capacity;
    row[at::rooms_known] = byte((*world.known(seat) & Set::below(story.rooms.into())).len());
    row[at::treasures] = byte(state.game.stakes.treasures().len());
    let heard = state.seats[seat].heard;
    for d in 0..Dir::COUNT {
        row[at::heard + d] = (heard >> d & 1) as u8;
    }
    if let Some(index) = state.seats[seat].verdict.index() {
        row[at::outcome + index] = 1;
    }
}

fn exits(state: &State, seat: usize, scope: &Scope, rows: &[u8; 256], row: &mut [u8]) {
    let (story, world) = (state.story(), &state.world);
    let walked = state.seats[seat].walked.get(usize::from(scope.room)).copied().unwrap_or(0);
    for &dir in Dir::ALL {
        let exit = story.exit(scope.room, dir);
        let has_door = exit.door != NONE;
        if exit.to == NONE || (has_door && world.is(exit.door, Bit::Hidden)) {
            continue;
        }
        let cell = &mut row[at::exits + 3 * dir as usize..][..3];
        cell[0] = if has_door && !world.is(exit.door, Bit::Open) { 2 } else { 1 };
        cell[1] = if walked >> dir as u16 & 1 == 1 { exit.to + 1 } else { 0 };
        cell[2] = if has_door { rows[usize::from(exit.door)] } else { 0 };
    }
}

/// Fills the entity table; gives row + 1 of each entity, 0 for those without.
fn entities(state: &State, seat: usize, scope: &Scope, row: &mut [u8]) -> [u8; 256] {
    let (story, world, game) = (state.story(), &state.world, &*state.game);
    let mut rows = [0u8; 256];
    let mut order = [0; ENTITY_ROWS];
    let mut len = 2;
    (order[0], order[1]) = (scope.room, scope.me);
    let mut others = scope.seen;
    others.remove(scope.me);
    for e in others.iter().take(ENTITY_ROWS - 2) {
        order[len] = e;
        len += 1;
    }
    for (i, &e) in order[..len].iter().enumerate() {
        rows[usize::from(e)] = i as u8 + 1;
    }
    let table = &mut row[at::entities..at::entities + ENTITY_ROWS * COLUMNS.len()];
    let bits = |bits: &[Bit], e: Ent| bits.iter().position(|b| world.is(e, *b)).map_or(0, |i| i as u8 + 1);
    let cut_or_cooked = CUT.iter().chain(&COOKED).fold(Set::EMPTY, |all, b| all | *world.set(*b));
    for (cells, &e) in table.chunks_exact_mut(COLUMNS.len()).zip(&order[..len]) {
        cells.copy_from_slice(game.tokens.row(e));
        let parent = world.parent(e);
        if parent != NONE {
            cells[col::holder] = rows[usize::from(parent)];
            cells[col::place] = if parent == scope.me {
                3
            } else if parent < story.rooms {
                0
            } else if story.is(parent, Attr::Actor) {
                4
            } else if story.is(parent, Attr::Supporter) {
                2
            } else {
                1
            };
        }
        cells[col::reach] = scope.reach.has(e).into();
        cells[col::open] = world.is(e, Bit::Open).into();
        cells[col::locked] = world.is(e, Bit::Locked).into();
        cells[col::on] = world.is(e, Bit::On).into();
        cells[col::worn] = world.is(e, Bit::Worn).into();
        cells[col::broken] = world.is(e, Bit::Broken).into();
        cells[col::following] = world.is(e, Bit::Following).into();
        if cut_or_cooked.has(e) {
            cells[col::cut] = bits(&CUT, e);
            // Burned is what it is once it is burned, whatever it was before.
            let cooked = bits(&COOKED, e);
            cells[col::cooked] = if world.is(e, Bit::Burned) { 4 } else { cooked };
        }
        cells[col::worth] = game.stakes.worth(e, seat);
        cells[col::vault] = match game.stakes.vault_of(e) {
            None => 0,
            Some(owner) => 1 + u8::from(owner != seat),
        };
        cells[col::moved] = state.seats[seat].taken.has(e).into();
        if e == scope.me {
            cells[col::kind] = 6;
        }
    }
    rows
}

fn actions(list: &[Action], rows: &[u8; 256], row: &mut [u8]) {
    let code = |slot: Slot, e: Ent| match slot {
        _ if e == NONE => 0,
        Slot::Topic => TOPIC_CODE + e,
        Slot::Dir => DIR_CODE + (e - DIR_BASE),
        Slot::Thing | Slot::None if rows[usize::from(e)] == 0 => NO_ROW,
        Slot::Thing | Slot::None => rows[usize::from(e)],
    };
    let table = &mut row[at::actions..at::actions + 3 * ACTIONS];
    for (cells, action) in table.chunks_exact_mut(3).zip(list) {
        let entry = rules::entry(action.verb);
        cells[0] = action.verb as u8 + 1;
        cells[1] = code(entry.a, action.a);
        cells[2] = code(entry.b, action.b);
    }
}

fn words(state: &State, seat: usize, scope: &Scope, row: &mut [u8]) {
    let tokens = &state.game.tokens;
    let mut add = |from: usize, ids: &[u8]| {
        for &id in ids {
            let cell = &mut row[from + usize::from(id)];
            *cell = cell.saturating_add(1);
        }
    };
    if scope.is_lit {
        add(at::place_words, tokens.name(scope.room));
    }
    for e in scope.seen {
        add(at::place_words, tokens.name(e));
    }
    let known = |e: Ent| usize::from(e) < state.story().len();
    for note in state.news(seat) {
        if known(note.who) {
            add(at::news_words, tokens.name(note.who));
        }
        match note.what {
            What::Did(action) | What::Refused(action, _) => {
                add(at::news_words, &[tokens.verb(action.verb)]);
                let is_topic = rules::entry(action.verb).b == Slot::Topic;
                if known(action.a) {
                    add(at::news_words, tokens.name(action.a));
                    // What is written is told to whoever reads it, not to those who see it being read.
                    let is_read = action.verb == Verb::Read && matches!(note.what, What::Did(_));
                    if is_read && note.who == scope.me {
                        add(at::news_words, tokens.writing(action.a));
                    }
                }
                if known(action.b) && !is_topic {
                    add(at::news_words, tokens.name(action.b));
                }
            }
            What::Told(text) => add(at::news_words, tokens.text(text)),
            What::Walked(_) | What::BurnedOut | What::Scored(_) => {}
        }
    }
    if let crate::env::Verdict::Refused(action, why) | crate::env::Verdict::TakenFirst(action, why) =
        state.verdict(seat)
    {
        add(at::news_words, &[tokens.verb(action.verb), tokens.refusal(why)]);
    }
}
