//! Bevy host: one World per worker, environments as entities, behind the batch API of rl-gym.
