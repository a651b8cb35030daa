//! Plays with skills.
