//! Roles of words beside the lines of the grammar.

use crate::entity::named;

named! {
    /// What a word does in commands beside being part of lines. A word can have several roles.
    Role {
        /// Is passed over.
        Article = "article",
        /// Stands for a noun: "the red one".
        One = "one",
        /// Narrows to what one holds.
        Mine = "mine",
        /// Joins the items of a list.
        And = "and",
        /// Everything.
        All = "all",
        /// Leaves out of everything.
        Except = "except",
        /// Ends a clause.
        Then = "then",
        /// Is passed over after `all`.
        Of = "of",
        /// The last command once more.
        Again = "again",
        /// Corrects a word of the last command.
        Oops = "oops",
        /// The thing last spoken of.
        It = "it",
        /// The things, or the plural thing, last spoken of.
        Them = "them",
        /// The man last spoken of.
        Him = "him",
        /// The woman last spoken of.
        Her = "her",
        /// Whoever acts.
        Me = "me",
        /// The room itself as a place.
        Floor = "floor",
        /// Leads to the place where something is.
        Inside = "inside",
    }
}
