//! Self-play: population, matchmaking, run store, report.
