//! Names of the sentences that belong to no verb and no refusal.

use crate::entity::named;

named! {
    /// Sentences that belong to no verb and no refusal.
    Line {
        /// What was done first.
        FirstDoing = "first_doing",
        /// The thing that was taken for granted.
        Assuming = "assuming",
        /// The thing of a list to which an answer belongs.
        OfList = "of_list",
        /// A word was corrected.
        Corrected = "corrected",
        /// A word is suggested.
        Suggest = "suggest",
        /// Several things are meant.
        Which = "which",
        /// A thing is missing.
        What = "what",
        /// Somebody is missing.
        Whom = "whom",
        /// A direction is missing.
        Where = "where",
        /// A turn was taken back.
        Undone = "undone",
        /// No turn is left to be taken back.
        NothingToUndo = "nothing_to_undo",
        /// The end, won.
        Won = "won",
        /// The end, lost.
        Lost = "lost",
        /// Points won.
        Scored = "scored",
        /// Points lost.
        LostPoints = "lost_points",
        /// A room without light.
        Dark = "dark",
        /// Its name.
        DarkName = "dark_name",
        /// Things in a room.
        Here = "here",
        /// Things on something.
        On = "on",
        /// Things in something.
        In = "in",
        /// Things with somebody.
        Holds = "holds",
        /// Somebody in a room.
        Person = "person",
        /// Several people in a room.
        People = "people",
        /// Exits.
        Exits = "exits",
        /// No exits.
        NoExits = "no_exits",
        /// An exit through an open door.
        Through = "through",
        /// An exit through a closed door.
        ThroughClosed = "through_closed",
        /// What one carries.
        Carrying = "carrying",
        /// What one wears.
        Wearing = "wearing",
        /// One carries nothing.
        EmptyHanded = "empty_handed",
        /// A thing without a text.
        NothingSpecial = "nothing_special",
        /// State: open.
        IsOpen = "is_open",
        /// State: closed.
        IsClosed = "is_closed",
        /// State: locked.
        IsLocked = "is_locked",
        /// State: on.
        IsOn = "is_on",
        /// State: off.
        IsOff = "is_off",
        /// State: worn.
        IsWorn = "is_worn",
        /// State: broken.
        IsBroken = "is_broken",
        /// State: cut and cooked.
        IsState = "is_state",
        /// What is inside a thing.
        Contains = "contains",
        /// Nothing is.
        IsEmpty = "is_empty",
        /// What is on a thing.
        Bears = "bears",
        /// In lists: lit.
        MarkOn = "mark_on",
        /// In lists: worn.
        MarkWorn = "mark_worn",
        /// In lists: open.
        MarkOpen = "mark_open",
        /// In lists: closed.
        MarkClosed = "mark_closed",
        /// In lists: broken.
        MarkBroken = "mark_broken",
        /// A search with success.
        Found = "found",
        /// An opened thing with something in it.
        Opened = "opened",
        /// Readable, but blank.
        NothingWritten = "nothing_written",
        /// Somebody leaves.
        Leaves = "leaves",
        /// Somebody arrives.
        Arrives = "arrives",
        /// A lamp went out.
        BurnedOut = "burned_out",
        /// Another seat offers something.
        Offered = "offered",
        /// An offer to another seat.
        OfferMade = "offer_made",
        /// A trade with somebody.
        TradeDone = "trade_done",
        /// Two parts became one thing.
        Combined = "combined",
        /// Food was cooked.
        Cooked = "cooked",
        /// The score.
        Score = "score",
    }
}
