//! The players: legal everywhere, deterministic, frozen, and as strong as the ladder needs.

mod play;

use agon_settlers::bots::{FEATURES, GENES, GREEDY, Player, Weighted, genes_markdown};
use agon_settlers::game;
use play::{Random, play};
use rl_gym::{Options, Pcg64, Policy};

fn resolve(given: &[(&str, &str)]) -> Options {
    game().resolve(given.iter().copied()).expect("valid options")
}

fn greedy() -> Box<dyn Policy> {
    Box::new(Player::new(&GREEDY))
}

/// FNV-1a, to pin bytes without a dependency.
fn digest(bytes: impl IntoIterator<Item = u8>) -> u64 {
    bytes.into_iter().fold(0xcbf2_9ce4_8422_2325, |h, b| (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3))
}

#[test]
fn every_player_plays_legally_at_every_table() {
    let random_genome = |seed: u64| -> Box<dyn Policy> {
        let mut rng = Pcg64::seed(seed);
        let values: Vec<f32> =
            GENES.iter().map(|g| rng.uniform(f64::from(g.low), f64::from(g.high)) as f32).collect();
        Box::new(Player::new(&values))
    };
    for seats in ["2", "3", "4"] {
        let tables: [&[(&str, &str)]; 4] = [
            &[("seats", seats), ("turn_cap", "400")],
            &[("seats", seats), ("trade", "off"), ("layout", "random"), ("turn_cap", "400")],
            &[("seats", seats), ("board", "mini"), ("victory_points", "6"), ("turn_cap", "200")],
            &[
                ("seats", seats),
                ("friendly_robber", "on"),
                ("max_offers", "9"),
                ("auto_advance", "on"),
                ("turn_cap", "200"),
            ],
        ];
        for (i, table) in tables.iter().enumerate() {
            let options = resolve(table);
            let seed = i as u64;
            play(&options, &mut [greedy(), Box::new(Weighted)], 50, 16, seed, |_, _| {});
            play(&options, &mut [random_genome(seed), greedy()], 50, 16, seed, |_, _| {});
            play(&options, &mut [random_genome(seed + 9), Box::new(Random)], 8, 8, seed, |_, _| {});
        }
    }
}

#[test]
fn greedy_beats_random_and_weighted_tables() {
    let wins = |mut players: [Box<dyn Policy>; 2]| {
        let tables = play(&resolve(&[]), &mut players, 200, 40, 3, |_, _| {});
        tables.iter().filter(|t| t.winner == Some(0)).count()
    };
    // A fair share would be 50 of 200.
    assert!(wins([greedy(), Box::new(Random)]) >= 195);
    assert!(wins([greedy(), Box::new(Weighted)]) >= 190);
    assert!(wins([Box::new(Weighted), Box::new(Random)]) >= 75);
}

#[test]
fn decisions_do_not_depend_on_the_batch() {
    let run = |lanes: usize| {
        let mut first = Vec::new();
        let watch = |row: u32, action: u32| {
            if row < 4 {
                first.push((row, action));
            }
        };
        play(&resolve(&[]), &mut [greedy(), greedy()], 2, lanes, 5, watch);
        first.truncate(400);
        first
    };
    let alone = run(1);
    assert_eq!(alone.len(), 400);
    let many = run(7);
    assert!(many.len() > 100);
    assert_eq!(alone[..many.len()], many[..]);
}

#[test]
fn the_anchors_are_frozen() {
    let weights = digest(GREEDY.iter().flat_map(|x| x.to_le_bytes()));
    let names = digest(GENES.iter().flat_map(|g| g.name.bytes()));
    let mut chosen = Vec::new();
    play(&resolve(&[]), &mut [greedy(), greedy()], 4, 1, 11, |_, action| chosen.push(action as u16));
    let played = digest(chosen.iter().flat_map(|a| a.to_le_bytes()));
    let mut drawn = Vec::new();
    let mut weighted: [Box<dyn Policy>; 2] = [Box::new(Weighted), Box::new(Weighted)];
    play(&resolve(&[]), &mut weighted, 1, 1, 12, |_, action| drawn.push(action as u16));
    let drawn = digest(drawn.iter().flat_map(|a| a.to_le_bytes()));
    // A change here changes the meaning of every rating: give the new behaviour a new name instead.
    let opening = [
        12, 116, 22, 145, 4, 118, 9, 114, 17, 136, 1, 112, 16, 137, 19, 143, 180, 252, 146, 181, 180, 181,
        180, 283,
    ];
    assert_eq!((chosen.len(), &chosen[..24]), (2510, &opening[..]));
    let frozen: [u64; 4] =
        [980276079424820161, 7504241259818696874, 12639052439610427763, 16747522032851139971];
    assert_eq!([weights, names, played, drawn], frozen);
}

#[test]
fn the_gene_table_is_sound() {
    let game = game();
    let genome = game.genome.expect("a genome");
    assert_eq!(genome.genes.len(), GREEDY.len());
    for (i, (gene, &value)) in genome.genes.iter().zip(&GREEDY).enumerate() {
        assert!(gene.low <= value && value <= gene.high, "{} = {value}", gene.name);
        assert!(gene.low < gene.high && !gene.meaning.is_empty());
        assert!(genome.genes[..i].iter().all(|g| g.name != gene.name), "{} is there twice", gene.name);
    }
    for (gene, feature) in genome.genes.iter().zip(FEATURES) {
        assert_eq!((gene.name, gene.low, gene.high), (feature.name, -1.0, 1.0));
    }
    assert!(FEATURES.len() >= 30);
    assert_eq!(genes_markdown().lines().count(), GREEDY.len() + 2);
    // Too few, too many, wild and missing numbers are all players.
    let spec = (game.make)(&game.defaults()).expect("an environment").spec().clone();
    for values in [&[][..], &[f32::NAN; 100], &[f32::INFINITY; 3]] {
        let mut players = [(genome.make)(&spec, values), Box::new(Random) as Box<dyn Policy>];
        play(&resolve(&[("turn_cap", "60")]), &mut players, 2, 2, 1, |_, _| {});
    }
}
