//! The step's schedule: an order that is complete, and sets that mean what they say.

mod common;

use agon_host::{HostArena, HostEnv, HostStep, HostSystems, Hosted, HostedGame, LanePlan, LaneState};
use bevy_ecs::{
    resource::Resource,
    schedule::{IntoScheduleConfigs, Schedules},
    system::{Query, Res, ResMut},
};
use common::{CartPole, Crowd, factory};
use rl_gym::{BatchConfig, BatchEnv, Flags, Plan};

fn one_world(batch: &mut HostEnv) -> &mut Hosted {
    batch.shards_mut().next().expect("a batch has a shard")
}

fn carts() -> HostEnv {
    HostEnv::new(&factory(CartPole::new), BatchConfig::lanes(4)).expect("a batch is made")
}

#[test]
fn the_schedule_has_no_ambiguity() {
    let mut batch = carts();
    batch.reset(1);
    batch.step();
    let world = one_world(&mut batch).world();
    for (_, schedule) in world.resource::<Schedules>().iter() {
        assert!(!schedule.is_changed(), "the schedule is built");
        assert_eq!(schedule.graph().conflicting_systems().len(), 0);
    }
}

fn meddle(mut arena: ResMut<HostArena>, _lanes: Query<&LaneState>) {
    // Asks for write access, which is what conflicts.
    bevy_ecs::change_detection::DetectChangesMut::set_changed(&mut arena);
}

#[test]
fn a_system_without_an_order_is_refused() {
    let mut batch = carts();
    let error = one_world(&mut batch).add_systems(meddle).expect_err("meddle conflicts with every stage");
    let text = error.to_string();
    assert!(text.contains("meddle") && text.contains("order the system by HostSystems"), "{text}");
    let mut batch = carts();
    one_world(&mut batch).add_systems(meddle.after(HostSystems::Reset)).expect("ordered");
}

#[test]
#[should_panic(expected = "order the system by HostSystems")]
fn a_system_smuggled_in_without_an_order_stops_the_next_step() {
    let mut batch = carts();
    batch.reset(1);
    one_world(&mut batch).world_mut().resource_mut::<Schedules>().add_systems(HostStep, meddle);
    batch.step();
}

#[test]
fn a_system_added_through_the_world_runs() {
    let mut batch = carts();
    let shard = one_world(&mut batch);
    shard.world_mut().insert_resource(Diary::default());
    let systems = note_end.after(HostSystems::Reset);
    shard.world_mut().resource_mut::<Schedules>().add_systems(HostStep, systems);
    batch.reset(1);
    batch.step();
    assert!(one_world(&mut batch).is_watched());
    assert_eq!(one_world(&mut batch).world().resource::<Diary>().0.len(), 1);
}

#[derive(Resource, Default)]
struct Diary(Vec<Note>);

/// The stage before the note, every lane's flags, every lane's state hash.
type Note = (&'static str, Vec<Vec<Flags>>, Vec<u64>);

fn note(stage: &'static str, diary: &mut Diary, arena: &HostArena, games: &mut Query<&mut HostedGame>) {
    let flags = (0..arena.shape().lanes).map(|lane| arena.lane_flags(lane).to_vec()).collect();
    let hashes = games.iter_mut().filter_map(|mut game| game.read().state_hash()).collect();
    diary.0.push((stage, flags, hashes));
}

fn note_plan(
    mut d: ResMut<Diary>,
    a: Res<HostArena>,
    mut g: Query<&mut HostedGame>,
    plans: Query<&LanePlan>,
) {
    assert!(plans.iter().all(|p| p.get() == Some(Plan::Step)));
    note("plan", &mut d, &a, &mut g);
}

fn note_move(mut d: ResMut<Diary>, a: Res<HostArena>, mut g: Query<&mut HostedGame>) {
    note("move", &mut d, &a, &mut g);
}

fn note_score(mut d: ResMut<Diary>, a: Res<HostArena>, mut g: Query<&mut HostedGame>) {
    assert_eq!(a.finals().count(), 0, "ends are recorded in Observe");
    note("score", &mut d, &a, &mut g);
}

fn note_rows(mut d: ResMut<Diary>, a: Res<HostArena>, mut g: Query<&mut HostedGame>) {
    note("rows", &mut d, &a, &mut g);
}

fn note_end(mut d: ResMut<Diary>, a: Res<HostArena>, mut g: Query<&mut HostedGame>) {
    note("end", &mut d, &a, &mut g);
}

#[test]
fn a_watcher_sees_each_stage_on_its_own() {
    let mut batch = carts();
    let shard = one_world(&mut batch);
    shard.world_mut().insert_resource(Diary::default());
    shard
        .add_systems((
            note_plan.after(HostSystems::ApplyActions).before(HostSystems::Simulate),
            note_move.after(HostSystems::Simulate).before(HostSystems::Score),
            note_score.after(HostSystems::Score).before(HostSystems::Observe),
            note_rows.after(HostSystems::Observe).before(HostSystems::Reset),
            note_end.after(HostSystems::Reset),
        ))
        .expect("every system has its place");
    batch.reset(3);
    let mut before = (0..4).filter_map(|i| batch.env(i).state_hash()).collect::<Vec<_>>();
    let mut ends = 0;
    for _ in 0..60 {
        batch.step();
        let diary = std::mem::take(&mut one_world(&mut batch).world_mut().resource_mut::<Diary>().0);
        let [plan, moved, score, rows, end] = &diary[..] else { panic!("{} notes", diary.len()) };
        assert_eq!([plan, moved, score, rows, end].map(|n| n.0), ["plan", "move", "score", "rows", "end"]);
        assert_eq!(plan.2, before, "nothing moves before Simulate");
        assert!(moved.2.iter().zip(&plan.2).all(|(a, b)| a != b), "Simulate moves every cart");
        assert_eq!((&moved.2, &moved.2), (&score.2, &rows.2), "and nothing after it until Reset");
        assert_eq!(score.1, rows.1, "Score settles the flags");
        for lane in 0..4 {
            let over = !score.1[lane][0].contains(Flags::ALIVE);
            assert_eq!(over, end.2[lane] != rows.2[lane], "Reset begins exactly the episodes that ended");
            assert_eq!(over, end.1[lane][0].contains(Flags::FIRST));
            ends += usize::from(over);
        }
        before = end.2.clone();
    }
    assert!(ends >= 8, "{ends} carts fell");
}

#[test]
fn the_arena_leaves_the_world_after_the_step() {
    let mut batch = HostEnv::new(&factory(Crowd::new), BatchConfig::lanes(3)).expect("a batch is made");
    batch.reset(1);
    batch.step();
    assert_eq!(one_world(&mut batch).world().resource::<HostArena>().shape().lanes, 0);
    assert_eq!(batch.view().arenas()[0].shape().lanes, 3);
}

#[test]
fn a_panic_of_a_watcher_reaches_the_caller_from_any_thread() {
    fn trips() {
        panic!("the camera fell over");
    }
    for workers in [1, 2] {
        let config = BatchConfig { workers, ..BatchConfig::lanes(4) };
        let mut batch = HostEnv::new(&factory(CartPole::new), config).expect("a batch is made");
        for world in batch.shards_mut() {
            world.add_systems(trips.after(HostSystems::Reset)).expect("ordered");
        }
        batch.reset(1);
        let step = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| _ = batch.step()));
        let panic = step.expect_err("the step must not look well");
        assert_eq!(rl_gym::panic_text(&*panic), "the camera fell over", "{workers} workers");
    }
}
