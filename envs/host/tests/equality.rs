//! Hosted, watched, pooled or bare: the same bytes after every call.

mod common;

use agon_host::{HostArena, HostEnv, HostSystems, Hosted, LaneState};
use bevy_ecs::{
    component::Component,
    entity::Entity,
    schedule::IntoScheduleConfigs,
    system::{Commands, Local, Query, Res},
};
use common::{CartPole, Crowd, Driver, Line, Saboteur, factory, mute_saboteurs};
use rl_gym::{Autoreset, BatchConfig, BatchEnv, Factory, GymError, OnIllegal, Rows, Seeding, VecEnv};

const CALLS: usize = 520;

fn configs(lanes: usize) -> Vec<BatchConfig> {
    let mut all = Vec::new();
    for autoreset in [Autoreset::SameStep, Autoreset::NextStep, Autoreset::Disabled] {
        for rows in [Rows::Acting, Rows::All] {
            for on_illegal in [OnIllegal::Report, OnIllegal::Forfeit] {
                for seeding in [Seeding::Tree, Seeding::Gymnasium] {
                    all.push(BatchConfig { lanes, workers: 1, autoreset, rows, on_illegal, seeding });
                }
            }
        }
    }
    all
}

/// Looks at everything and changes nothing.
fn watch(arena: Res<HostArena>, lanes: Query<&LaneState>, mut seen: Local<usize>) {
    *seen += arena.finals().count() + lanes.iter().filter(|l| l.local() > 0).count();
}

fn watched(factory: &Factory, config: BatchConfig) -> Result<HostEnv, GymError> {
    let mut batch = HostEnv::new(factory, config)?;
    for shard in batch.shards_mut() {
        shard.add_systems((
            watch.after(HostSystems::Observe).before(HostSystems::Reset),
            watch.after(HostSystems::ApplyActions).before(HostSystems::Simulate),
        ))?;
        assert!(shard.is_watched());
    }
    Ok(batch)
}

fn contenders(factory: &Factory, config: BatchConfig) -> Result<Vec<Box<dyn BatchEnv>>, GymError> {
    let with = |workers| BatchConfig { workers, ..config };
    let mut all: Vec<Box<dyn BatchEnv>> = vec![Box::new(VecEnv::new(factory, config)?)];
    for workers in [2, 4] {
        all.push(Box::new(VecEnv::new(factory, with(workers))?));
    }
    for workers in [1, 2, 4] {
        all.push(Box::new(HostEnv::new(factory, with(workers))?));
    }
    for workers in [1, 2] {
        all.push(Box::new(watched(factory, with(workers))?));
    }
    Ok(all)
}

fn check(factory: &Factory, config: BatchConfig, driver: &mut Driver) {
    let mut batches = contenders(factory, config).expect("a batch is made");
    batches.iter_mut().for_each(|b| _ = b.reset(7));
    for call in 0..CALLS {
        let prints: Vec<u64> = batches.iter().map(|b| b.view().fingerprint()).collect();
        assert!(prints.iter().all(|p| *p == prints[0]), "call {call} of {config:?}: {prints:x?}");
        driver.advance(&mut batches);
    }
}

fn check_all(factory: &Factory) -> Driver {
    let mut driver = Driver::new(3);
    for lanes in [1, 3, 64] {
        configs(lanes).into_iter().for_each(|config| check(factory, config, &mut driver));
    }
    assert!(driver.ends > 10_000, "hardly an episode ended: {}", driver.ends);
    driver
}

#[test]
fn a_single_agent_is_equal() {
    let driver = check_all(&factory(CartPole::new));
    assert!(driver.faults.is_empty(), "{:?}", driver.faults.first());
}

#[test]
fn turns_with_masks_are_equal() {
    let driver = check_all(&factory(Line::new));
    assert!(driver.faults.is_empty(), "{:?}", driver.faults.first());
}

#[test]
fn seats_that_die_early_are_equal() {
    let driver = check_all(&factory(Crowd::new));
    assert!(driver.faults.is_empty(), "{:?}", driver.faults.first());
}

#[test]
fn broken_lanes_are_equal() {
    mute_saboteurs();
    let driver = check_all(&factory(|| Saboteur::new(4)));
    assert!(driver.faults.len() > 10_000, "hardly a fault: {}", driver.faults.len());
}

#[derive(Component)]
struct Tag;

/// Moves a lane to another table and back, in the middle of the step.
fn shuffle_tables(
    mut commands: Commands,
    lanes: Query<(Entity, Option<&Tag>), bevy_ecs::query::With<LaneState>>,
    mut turn: Local<usize>,
) {
    *turn += 1;
    if let Some((lane, tag)) = lanes.iter().nth(*turn * 5 % lanes.count()) {
        match tag {
            Some(_) => commands.entity(lane).remove::<Tag>(),
            None => commands.entity(lane).insert(Tag),
        };
    }
}

#[test]
fn lanes_that_moved_in_memory_are_still_visited_in_order() {
    mute_saboteurs();
    let factory = factory(|| Saboteur::new(4));
    let config = BatchConfig::lanes(20);
    let mut moved = HostEnv::new(&factory, config).expect("a batch is made");
    for shard in moved.shards_mut() {
        let systems = (
            shuffle_tables.after(HostSystems::ApplyActions).before(HostSystems::Simulate),
            shuffle_tables.after(HostSystems::Score).before(HostSystems::Observe),
        );
        shard.add_systems(systems).expect("ordered");
    }
    let bare = VecEnv::new(&factory, config).expect("a batch is made");
    let mut batches: Vec<Box<dyn BatchEnv>> = vec![Box::new(bare), Box::new(moved)];
    let mut driver = Driver::new(5);
    batches.iter_mut().for_each(|b| _ = b.reset(7));
    for call in 0..CALLS {
        let [a, b] = [0, 1].map(|i| batches[i].view().fingerprint());
        assert_eq!(a, b, "call {call}");
        driver.advance(&mut batches);
    }
    assert!(driver.faults.len() > 50 && driver.ends > 50);
}

#[test]
fn tables_out_of_order_also_serve_a_headless_step() {
    let factory = factory(CartPole::new);
    let mut moved = HostEnv::new(&factory, BatchConfig::lanes(6)).expect("a batch is made");
    let mut bare = VecEnv::new(&factory, BatchConfig::lanes(6)).expect("a batch is made");
    let scramble = |shard: &mut Hosted| {
        let lanes = shard.world().resource::<agon_host::Lanes>().entities().to_vec();
        for lane in [lanes[1], lanes[4], lanes[0]] {
            shard.world_mut().entity_mut(lane).insert(Tag);
        }
    };
    moved.shards_mut().for_each(scramble);
    bare.reset(1);
    moved.reset(1);
    for _ in 0..100 {
        assert_eq!(bare.step().fingerprint(), moved.step().fingerprint());
    }
    assert!(moved.shards_mut().all(|s| !s.is_watched()));
}
