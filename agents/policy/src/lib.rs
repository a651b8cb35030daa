//! Named players of every game in one registry.
