//! The exact legal set, read off the maintained sets after every step.

use crate::action::at;
use crate::counts::{Counts, DevCard};
use crate::mask::LegalMask;
use crate::state::{CITY_COST, DEV_COST, Phase, ROAD_COST, SETTLEMENT_COST, State};
use crate::topology::{NODE_EDGE_SET, TILES};

/// For a set of wanted resources: the bank trade bits of all five gives (give `g` in bits `4g..4g+4`).
static WANT_BITS: [u32; 32] = want_bits();
/// For a set of given resources: all four bits of each.
static GIVE_BITS: [u32; 32] = give_bits();
/// For a set of resources with at least one card: the pairs of two different ones (see `at::PLENTY`).
static PAIR_BITS: [u32; 32] = pair_bits(false);
/// For a set of resources with at least two cards: the pairs of equal ones.
static TWIN_BITS: [u32; 32] = pair_bits(true);

impl State {
    /// Computes the legal set anew.
    #[inline]
    pub(crate) fn refresh(&mut self) {
        let mut mask = LegalMask::EMPTY;
        if self.pending.is_none() {
            self.fill(&mut mask);
        }
        self.legal = mask;
    }

    fn fill(&self, m: &mut LegalMask) {
        let own = &self.seats[usize::from(self.actor)];
        match self.phase {
            Phase::SetupSettlement => m.put::<{ at::SETTLEMENT }>(self.settleable),
            Phase::SetupRoad => {
                let edges = NODE_EDGE_SET[usize::from(self.last_node)] & self.board.edge_set() & !self.roads;
                m.put_wide::<{ at::ROAD }, { at::ROAD + 64 }>(edges);
            }
            Phase::BeforeRoll => {
                m.put_if::<{ at::ROLL }>(true);
                self.cards(m);
            }
            Phase::Main => self.main(m),
            Phase::FreeRoads => m.put_wide::<{ at::ROAD }, { at::ROAD + 64 }>(own.open_roads),
            Phase::Discard => m.put::<{ at::DISCARD }>(own.hand.at_least(1).into()),
            Phase::MoveRobber => self.robber_moves(m),
            Phase::Draft | Phase::CounterDraft => {
                let draft = &self.trade.draft;
                m.put::<{ at::OFFER_GIVE }>(self.draft_gives(self.actor, draft).into());
                m.put::<{ at::OFFER_WANT }>(self.draft_wants(self.actor, draft).into());
                m.put_if::<{ at::OFFER_SEND }>(!draft.want.is_empty());
                m.put_if::<{ at::OFFER_DROP }>(true);
            }
            Phase::Answer => {
                m.put_if::<{ at::ACCEPT }>(own.hand.covers(self.trade.offer.want));
                m.put_if::<{ at::REJECT }>(true);
                m.put_if::<{ at::COUNTER }>(self.may_counter());
            }
            Phase::Confirm => {
                for offset in 1..self.config.seats {
                    let partner = self.seat_at(self.turn, offset);
                    m.put::<{ at::CONFIRM }>(u64::from(self.can_confirm(partner)) << (offset - 1));
                }
                m.put_if::<{ at::CANCEL_TRADE }>(true);
            }
            Phase::Over => {}
        }
    }

    fn main(&self, m: &mut LegalMask) {
        let own = &self.seats[usize::from(self.turn)];
        let hand = own.hand;
        m.put_if::<{ at::END_TURN }>(true);
        if hand.covers(ROAD_COST) && own.roads_left > 0 {
            m.put_wide::<{ at::ROAD }, { at::ROAD + 64 }>(own.open_roads);
        }
        if hand.covers(SETTLEMENT_COST) && own.settlements_left > 0 {
            m.put::<{ at::SETTLEMENT }>(own.road_nodes & self.settleable);
        }
        if hand.covers(CITY_COST) && own.cities_left > 0 {
            m.put::<{ at::CITY }>(own.settlements);
        }
        m.put_if::<{ at::BUY_DEV }>(hand.covers(DEV_COST) && !self.deck.is_empty());
        self.cards(m);
        if !hand.is_empty() {
            self.bank_trades(m);
            m.put::<{ at::OFFER_GIVE }>(self.first_gives().into());
        }
    }

    fn bank_trades(&self, m: &mut LegalMask) {
        let own = &self.seats[usize::from(self.turn)];
        let two = u32::from(own.ports) & 31;
        let three = if own.ports >> 5 & 1 == 1 { 31 } else { 0 };
        let mut gives = [
            own.hand.at_least(4),
            if three == 0 { 0 } else { own.hand.at_least(3) },
            if two == 0 { 0 } else { own.hand.at_least(2) & two },
        ];
        if self.config.compat.best_rate_only {
            gives[0] &= !(two | three);
            gives[1] &= !two;
        }
        if gives[0] | gives[1] | gives[2] == 0 {
            return;
        }
        let wants = WANT_BITS[self.bank.at_least(1) as usize];
        let bits = gives.map(|g| u64::from(GIVE_BITS[g as usize] & wants));
        m.put::<{ at::BANK }>(bits[0] | bits[1] << 20 | bits[2] << 40);
    }

    /// Development cards that may be played now.
    fn cards(&self, m: &mut LegalMask) {
        let own = &self.seats[usize::from(self.turn)];
        if self.card_played || own.dev.is_empty() {
            return;
        }
        let playable = own.dev.exceeds_or_equals(self.bought.plus(Counts::splat(1)));
        let has = |card: DevCard| playable >> card.index() & 1 == 1;
        m.put_if::<{ at::KNIGHT }>(has(DevCard::Knight));
        m.put_if::<{ at::ROAD_BUILDING }>(
            has(DevCard::RoadBuilding) && own.roads_left > 0 && own.open_roads != 0,
        );
        if has(DevCard::Monopoly) {
            m.put::<{ at::MONOPOLY }>(31);
        }
        if has(DevCard::YearOfPlenty) {
            let (one, two) = (self.bank.at_least(1), self.bank.at_least(2));
            let pairs = PAIR_BITS[one as usize] | TWIN_BITS[two as usize];
            m.put::<{ at::PLENTY }>(pairs.into());
            m.put::<{ at::PLENTY_ONE }>(self.single_plenty(one, two).into());
        }
    }

    /// One card: the last one of the bank. Switch 10: any card that is part of an unpayable pair.
    fn single_plenty(&self, one: u32, two: u32) -> u32 {
        if self.config.compat.yop_single {
            return if one == 31 { one & !two } else { one };
        }
        if self.bank.total() == 1 { one } else { 0 }
    }

    fn robber_moves(&self, m: &mut LegalMask) {
        let tiles = self.robber_tiles();
        let (mut bits, mut robbed) = (0u128, 0);
        for offset in 1..self.config.seats {
            let seat = &self.seats[usize::from(self.seat_at(self.turn, offset))];
            if !seat.hand.is_empty() {
                bits |= u128::from(tiles & seat.tiles) << (usize::from(offset) * TILES);
                robbed |= seat.tiles;
            }
        }
        bits |= u128::from(tiles & !robbed);
        m.put_wide::<{ at::ROBBER }, { at::ROBBER + 64 }>(bits);
    }
}

const fn want_bits() -> [u32; 32] {
    let mut out = [0; 32];
    let mut set = 0;
    while set < 32 {
        let mut give = 0;
        while give < 5 {
            let mut want = 0;
            while want < 5 {
                if want != give && set >> want & 1 == 1 {
                    let place = if want < give { want } else { want - 1 };
                    out[set] |= 1 << (give * 4 + place);
                }
                want += 1;
            }
            give += 1;
        }
        set += 1;
    }
    out
}

const fn give_bits() -> [u32; 32] {
    let mut out = [0; 32];
    let mut set = 0;
    while set < 32 {
        let mut give = 0;
        while give < 5 {
            if set >> give & 1 == 1 {
                out[set] |= 0b1111 << (give * 4);
            }
            give += 1;
        }
        set += 1;
    }
    out
}

const fn pair_bits(twins: bool) -> [u32; 32] {
    let mut out = [0; 32];
    let mut set = 0;
    while set < 32 {
        let mut r = 0;
        while r < 5 {
            let mut s = r;
            while s < 5 {
                let both = set >> r & 1 == 1 && set >> s & 1 == 1;
                if both && (r == s) == twins {
                    out[set] |= 1 << crate::action::pair_index(r, s);
                }
                s += 1;
            }
            r += 1;
        }
        set += 1;
    }
    out
}
