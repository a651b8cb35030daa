//! Seeds and generator equal NumPy's, bit for bit (tests/oracle/gymnasium/numpy_random.json).

use rl_gym::{Pcg64, SeedSequence};
use serde_json::Value;

fn oracle() -> Value {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/oracle/gymnasium/numpy_random.json");
    serde_json::from_str(&std::fs::read_to_string(path).expect("oracle file")).expect("json")
}

fn each_seed(check: impl Fn(u64, &Value)) {
    let oracle = oracle();
    let seeds = oracle["seeds"].as_object().expect("seeds");
    assert_eq!(seeds.len(), 4);
    for (seed, rows) in seeds {
        check(seed.parse().expect("seed"), rows);
    }
}

fn u32s(v: &Value) -> Vec<u32> {
    v.as_array().expect("list").iter().map(|x| x.as_u64().expect("u32") as u32).collect()
}

fn f64s(v: &Value) -> Vec<f64> {
    v.as_array().expect("list").iter().map(|x| x.as_f64().expect("f64")).collect()
}

fn draws<T>(rows: &Value, seed: u64, mut draw: impl FnMut(&mut Pcg64) -> T) -> Vec<T> {
    let mut rng = Pcg64::seed(seed);
    (0..rows.as_array().expect("list").len()).map(|_| draw(&mut rng)).collect()
}

#[test]
fn seed_sequence_pools_words_and_children() {
    each_seed(|seed, rows| {
        let root = SeedSequence::new(seed);
        assert_eq!(root.pool().to_vec(), u32s(&rows["seed_sequence_pool"]));
        let mut words = [0; 8];
        root.generate(&mut words);
        assert_eq!(words.to_vec(), u32s(&rows["generate_state_u32"]));
        for (k, child) in rows["spawned_generate_state_u32"].as_array().expect("children").iter().enumerate()
        {
            let mut words = [0; 4];
            root.child(k as u32).generate(&mut words);
            assert_eq!(words.to_vec(), u32s(child)[..4], "child {k} of {seed}");
        }
    });
}

#[test]
fn pcg64_state_and_raw_output() {
    each_seed(|seed, rows| {
        let rng = Pcg64::seed(seed);
        let (state, increment) = rng.state();
        assert_eq!(state.to_string(), rows["pcg64_state"].as_str().expect("state"));
        assert_eq!(increment.to_string(), rows["pcg64_inc"].as_str().expect("inc"));
        let raw: Vec<String> = draws(&rows["random_raw_u64"], seed, |r| r.next_u64().to_string());
        assert_eq!(serde_json::json!(raw), rows["random_raw_u64"]);
    });
}

#[test]
fn floats() {
    each_seed(|seed, rows| {
        assert_eq!(draws(&rows["random"], seed, Pcg64::unit), f64s(&rows["random"]));
        let uniform = &rows["uniform(-0.05,0.05)"];
        assert_eq!(draws(uniform, seed, |r| r.uniform(-0.05, 0.05)), f64s(uniform));
        let single: Vec<f32> = f64s(&rows["random_f32"]).iter().map(|x| *x as f32).collect();
        assert_eq!(draws(&rows["random_f32"], seed, Pcg64::unit_f32), single);
    });
}

#[test]
fn bounded_integers() {
    each_seed(|seed, rows| {
        let small = &rows["integers(0,10)"];
        assert_eq!(draws(small, seed, |r| r.below(10)), u32s(small));
        let wide = &rows["integers(-5,2**40)"];
        let ours = draws(wide, seed, |r| r.below_u64((1 << 40) + 5) as i64 - 5);
        assert_eq!(serde_json::json!(ours), *wide);
    });
}

#[test]
fn shuffles_and_weighted_choices() {
    each_seed(|seed, rows| {
        for n in [10u32, 20] {
            let mut items: Vec<u32> = (0..n).collect();
            Pcg64::seed(seed).shuffle(&mut items);
            assert_eq!(items, u32s(&rows[format!("permutation({n})")]));
        }
        let choice = &rows["choice(4,p=[.1,.2,.3,.4])"];
        assert_eq!(draws(choice, seed, |r| r.weighted(&[0.1, 0.2, 0.3, 0.4]) as u32), u32s(choice));
    });
}

#[test]
fn mixed_draws_keep_the_buffered_half() {
    each_seed(|seed, rows| {
        let row = rows["mixed: integers(0,10), random, integers(0,10), standard_normal, integers(0,10)"]
            .as_array()
            .expect("row");
        let mut rng = Pcg64::seed(seed);
        assert_eq!(u64::from(rng.below(10)), row[0].as_u64().expect("int"));
        assert_eq!(rng.unit(), row[1].as_f64().expect("float"));
        assert_eq!(u64::from(rng.below(10)), row[2].as_u64().expect("int"));
    });
}
