//! Distils skills from rollouts.
