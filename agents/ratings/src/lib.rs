//! Ratings with intervals: online Elo and batch Bradley-Terry / Luce fits with fixed anchors.
