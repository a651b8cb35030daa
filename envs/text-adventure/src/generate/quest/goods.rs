//! Quests about carrying things: fetch, deliver, put where it belongs, bring back by a map.

use crate::{
    action::Dir,
    entity::Attr,
    generate::{
        knobs::Quest,
        plot::{Failure, Plot},
        theme::HostKind,
    },
    set::Ent,
};

impl Plot<'_> {
    /// A thing worth a quest, somewhere far.
    fn treasure(&mut self) -> Result<Ent, Failure> {
        let theme = self.theme;
        let x = self.draw("treasures", &theme.treasures, &[Attr::Portable])?;
        self.needed.push(x);
        let last = self.last_stage();
        let room = self
            .far_room(last, |p, r| p.stage(r) == last)
            .ok_or_else(|| Failure::new("gates", "no room lies behind the last gate"))?;
        self.put(x, room);
        Ok(x)
    }

    pub(super) fn fetch(&mut self, is_last: bool) -> Result<(), Failure> {
        let x = self.treasure()?;
        let name = self.the(x);
        let done = self.say("fetch.done", &[("x", &name)]);
        self.point(vec![Self::held(x)], vec![], Some(done))?;
        let hint = self.hint(x);
        self.tell(Quest::Fetch, is_last, &[("x", &name), ("hint", &hint)]);
        Ok(())
    }

    pub(super) fn deliver(&mut self, is_last: bool) -> Result<(), Failure> {
        let x = self.treasure()?;
        let who = self.person(|_, _| true)?;
        self.story.entities[usize::from(who)].wants.insert(x);
        let (name, person, hint) = (self.the(x), self.the(who), self.hint(x));
        let slots = [("x", name.as_str()), ("who", person.as_str()), ("hint", hint.as_str())];
        let wish = self.say("deliver.wish", &slots);
        let word = self.lines.pick(&mut self.rng, "deliver.topic");
        self.topic(who, &[word], wish, vec![])?;
        let done = self.say("deliver.done", &slots);
        self.point(vec![Self::lies(x, who)], vec![], Some(done))?;
        self.tell(Quest::Deliver, is_last, &slots);
        Ok(())
    }

    pub(super) fn place(&mut self, is_last: bool) -> Result<(), Failure> {
        let theme = self.theme;
        let last = self.last_stage();
        let room = self.far_room(last, Self::is_lit).unwrap_or(0);
        let ready = self.spots.iter().find(|s| s.room == room && s.kind != HostKind::Nook).map(|s| s.e);
        let home = match ready {
            Some(home) => home,
            None => {
                let name = &theme.homes[self.rng.below(theme.homes.len() as u32) as usize];
                let spot = self.host(name, room);
                spot.ok_or_else(|| Failure::new("rooms", "no furniture is left where things could belong"))?.e
            }
        };
        let place = self.in_the(home);
        let mut names = Vec::new();
        for _ in 0..self.knobs.pieces {
            let x = self.draw("things", &theme.things, &[Attr::Portable])?;
            self.needed.push(x);
            let room = self.far_room(last, |p, r| r != room || p.knobs.rooms == 1).unwrap_or(0);
            self.put(x, room);
            if self.story.start.parent(x) == home {
                self.story.start.place(x, room);
            }
            let name = self.the(x);
            let done = self.say("place.done", &[("x", &name)]);
            self.point(vec![Self::lies(x, home)], vec![], Some(done))?;
            names.push(name);
        }
        let list = self.listed(&names);
        self.tell(Quest::Place, is_last, &[("list", &list), ("place", &place)]);
        Ok(())
    }

    pub(super) fn bring_back(&mut self, is_last: bool) -> Result<(), Failure> {
        let theme = self.theme;
        let ready = self.spots.iter().find(|s| s.room == 0 && s.kind != HostKind::Nook).map(|s| s.e);
        let home = match ready {
            Some(home) => home,
            None => {
                let name = &theme.homes[self.rng.below(theme.homes.len() as u32) as usize];
                let spot = self.host(name, 0);
                spot.ok_or_else(|| Failure::new("rooms", "no furniture is left where things could belong"))?.e
            }
        };
        let x = self.treasure()?;
        let at = self.story.start.outermost(x);
        if at == 0 {
            return Err(Failure::new("rooms", "the thing to bring back lies where one begins"));
        }
        let map = self.draw("maps", &theme.maps, &[Attr::Portable, Attr::Readable])?;
        self.story.start.place(map, 0);
        let (name, map_name, place, hint) = (self.the(x), self.the(map), self.in_the(home), self.hint(x));
        let slots = [
            ("x", name.as_str()),
            ("y", map_name.as_str()),
            ("place", place.as_str()),
            ("hint", hint.as_str()),
        ];
        let way: Vec<String> = self.way(0, at).iter().map(|d| d.name().to_owned()).collect();
        let page = self.lines.pick(&mut self.rng, "return.page");
        let page = crate::generate::words::fill(page, &[("list", &way.join(", "))]);
        self.story.entities[usize::from(map)].writing = page;
        let took = self.say("return.took", &slots);
        self.point(vec![Self::held(x)], vec![], Some(took))?;
        let done = self.say("return.done", &slots);
        self.point(vec![Self::lies(x, home)], vec![], Some(done))?;
        self.tell(Quest::Return, is_last, &slots);
        Ok(())
    }

    /// The directions of a shortest way.
    fn way(&self, from: Ent, to: Ent) -> Vec<Dir> {
        let mut at = from;
        let mut way = Vec::new();
        while at != to {
            let far = |r: Ent| self.skeleton.distances(r)[usize::from(to)];
            let here = far(at);
            let step = Dir::ALL.iter().find(|d| {
                let exit = self.story.exit(at, **d);
                exit.to != crate::set::NONE && far(exit.to) < here
            });
            let Some(&dir) = step else { break };
            way.push(dir);
            at = self.story.exit(at, dir).to;
        }
        way
    }
}
