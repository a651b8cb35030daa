//! Generated worlds of rivals.

use crate::{fixture::typed, stage::Stage};
use agon_text_adventure::{Ent, NONE, Story, TextAdventure};

/// Steps from a room to every room, doors no matter.
fn distances(story: &Story, from: Ent) -> Vec<usize> {
    let mut dist = vec![usize::MAX; story.rooms.into()];
    let mut queue = vec![from];
    dist[usize::from(from)] = 0;
    let mut head = 0;
    while head < queue.len() {
        let room = usize::from(queue[head]);
        head += 1;
        for exit in &story.exits[room] {
            if exit.to != NONE && dist[usize::from(exit.to)] == usize::MAX {
                dist[usize::from(exit.to)] = dist[room] + 1;
                queue.push(exit.to);
            }
        }
    }
    dist
}

#[test]
fn strict_worlds_are_alike_from_every_start_and_loose_ones_nearly() {
    for (fair, slack) in [("strict", 0), ("loose", 1)] {
        for seats in ["2", "3", "4"] {
            let config = typed(&[("seats", seats), ("fair", fair), ("games", "6")]);
            let mut stage = Stage::new(TextAdventure::new(&config).expect("games"), 1);
            for seed in 0..6 {
                stage.reset(seed);
                let (story, stakes) = (stage.env.state().story(), stage.env.state().stakes());
                let n = story.seats.len();
                let place = |e: Ent| story.start.outermost(e);
                // To the other starts and to every treasure, nearest first: what a wing offers its seat.
                let vectors: Vec<Vec<usize>> = (0..n)
                    .map(|seat| {
                        let dist = distances(story, place(story.seats[seat]));
                        let mut steps: Vec<usize> =
                            stakes.treasures().iter().map(|t| dist[usize::from(place(t))]).collect();
                        steps.sort_unstable();
                        steps.push(dist[usize::from(place(stakes.vault(seat)))]);
                        steps
                    })
                    .collect();
                for v in &vectors {
                    let is_near = v.iter().zip(&vectors[0]).all(|(a, b)| a.abs_diff(*b) <= slack);
                    assert!(is_near, "{fair}, {seats} seats, seed {seed}: {vectors:?}");
                    assert_eq!(v.last(), Some(&0), "the vault is at the start");
                }
                assert!((3..=7).contains(&stakes.treasures().len()));
            }
        }
    }
}
