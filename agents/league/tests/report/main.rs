//! The report against runs whose truth is known: simulated games of known strengths, and small cases by hand.

mod anchors;
mod checks;
mod drift;
mod made;
mod points;
mod quartet;
mod runs;
mod standings;
mod text;
