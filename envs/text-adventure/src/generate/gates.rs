//! Keys and lamps: what must be found before what it opens or lights, and what keeps it from being lost.

use super::plot::{Failure, Plot};
use crate::{
    condition::{Cond, Pred, Term},
    entity::{Attr, Bit},
    set::Ent,
    story::{Pattern, Rule, Trigger},
};

impl Plot<'_> {
    /// Gives every gate its key, in rooms that can be reached before it.
    pub(super) fn place_keys(&mut self) -> Result<(), Failure> {
        let theme = self.theme;
        let gates = self.last_stage();
        // How many keys must be found one after the other to open each gate.
        let mut depth = vec![0; usize::from(gates) + 1];
        for gate in 1..=gates {
            let edge = self.skeleton.edges.iter().find(|e| e.gate == gate);
            let Some(edge) = edge.copied() else { continue };
            let door = self.story.exit(edge.from, edge.dir).door;
            let key = self.draw("keys", &theme.keys, &[Attr::Portable])?;
            self.story.entities[usize::from(door)].key = key;
            self.needed.push(key);
            if gate <= self.partners {
                // A partner waits behind this one, with what opens it from there.
                let partner = self.story.seats[usize::from(gate)];
                self.story.start.place(partner, edge.to);
                match self.is_lit(edge.to) {
                    true => self.put(key, edge.to),
                    false => self.story.start.place(key, partner),
                }
                self.opened.push((usize::from(gate), door));
                continue;
            }
            let deepest = (0..usize::from(gate))
                .filter(|s| depth[*s] < self.knobs.nesting)
                .max_by_key(|s| depth[*s])
                .unwrap_or(0);
            depth[usize::from(gate)] = depth[deepest] + 1;
            let room = self
                .far_room(gate - 1, |p, r| p.stage(r) == deepest as u8)
                .ok_or_else(|| Failure::new("gates", "a gate has no room before it"))?;
            self.put(key, room);
        }
        // Around a gate, or in the dark, a key could be locked away from whoever needs it.
        let around = self.skeleton.edges.iter().any(|e| e.one_way && self.stage(e.from) != self.stage(e.to));
        if (around || self.knobs.dark > 0) && gates > 0 && self.knobs.dead_end_free {
            let text = self.say("no_lock", &[]);
            let trigger = Trigger::Forbid(Pattern { verb: crate::Verb::Lock, a: None, b: None });
            self.rule(Rule { trigger, when: vec![], once: false, effects: vec![], text: Some(text) })?;
        }
        Ok(())
    }

    /// Puts a lamp where it can be found without one.
    pub(super) fn place_lamp(&mut self) -> Result<(), Failure> {
        if self.knobs.dark == 0 {
            return Ok(());
        }
        let theme = self.theme;
        let lamp = self.draw("lamps", &theme.lamps, &[Attr::Portable, Attr::Lamp, Attr::Switch])?;
        self.needed.push(lamp);
        if !self.knobs.dead_end_free {
            self.story.entities[usize::from(lamp)].fuel = Some(0);
            self.story.counters.push("oil".into());
            self.story.start.count(0, 200);
        }
        let room = self.any_room(0, Self::is_lit).unwrap_or(0);
        self.put(lamp, room);
        if self.knobs.dead_end_free { self.keep_lamp(lamp) } else { Ok(()) }
    }

    /// A lamp that is out is never found again in the dark, so nobody leaves it there like that.
    fn keep_lamp(&mut self, lamp: Ent) -> Result<(), Failure> {
        let dark = Cond::yes(Pred::Is(Term::Here, Attr::Dark));
        let out = Cond::no(Pred::Has(Term::Ent(lamp), Bit::On));
        for (verb, when) in [
            (crate::Verb::Drop, vec![dark, out]),
            (crate::Verb::Extinguish, vec![dark]),
            (crate::Verb::PutIn, vec![dark]),
        ] {
            let text = Some(self.say("keep_lamp", &[]));
            let trigger = Trigger::Forbid(Pattern { verb, a: Some(lamp), b: None });
            self.rule(Rule { trigger, when, once: false, effects: vec![], text })?;
        }
        Ok(())
    }
}
