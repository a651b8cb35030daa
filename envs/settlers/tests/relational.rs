//! The relational observation: both forms say the same, element by element; the relations are those of the rules.

use agon_settlers::observe::graph::{self, NONE, RELATIONS, Relation};
use agon_settlers::observe::{self, OBS_LEN, PARTS, Relational, Sight, Table, relational};
use agon_settlers::topology::{EDGE_NODES, MINI_EDGE_SET, MINI_NODES, TILE_NODES, TILE_XYZ, edge_between};
use agon_settlers::{Action, BoardSize, Config, Phase, State};
use rl_gym::{Pcg64, SeedSequence};
use std::collections::{BTreeMap, BTreeSet};

/// Positions of random games at every kind of table.
fn positions(mut each: impl FnMut(&State)) {
    for seed in 0..12 {
        let board = if seed % 3 == 2 { BoardSize::Mini } else { BoardSize::Full };
        let config = Config { seats: 2 + (seed % 3) as u8, board, turn_cap: 120, ..Config::default() };
        let mut state = State::new(&config, SeedSequence::new(seed)).expect("valid");
        let mut rng = Pcg64::seed(seed);
        while state.outcome().is_none() {
            each(&state);
            let action = state.legal().nth(rng.below(state.legal().count())).expect("legal");
            state.step(action).expect("legal");
        }
        each(&state);
    }
}

fn row(state: &State, viewer: usize) -> [u8; OBS_LEN] {
    let mut row = [255; OBS_LEN];
    observe::write(state, viewer as u8, &mut row);
    row
}

/// Every element of every part by name: flat place, table, row, column. Written down apart from the crate's own
/// reckoning: pieces come as [seat, place], everything else as [row of its table, column].
fn places() -> Vec<(usize, Table, usize, usize)> {
    let columns: BTreeMap<String, (Table, usize)> = Table::ALL
        .into_iter()
        .flat_map(|t| t.columns().enumerate().map(move |(i, c)| (c.name(), (t, i))))
        .collect();
    let mut out = Vec::new();
    for (start, field) in observe::space().offsets() {
        let part = PARTS.iter().find(|p| p.name == field.name).expect("a part of each field");
        let last = field.shape.last().copied().unwrap_or(1);
        for i in 0..field.size() {
            let (row, label) = match (part.table, field.shape.len()) {
                (Table::Node | Table::Edge, 2) => (i % last, i / last),
                (Table::Global, _) => (0, i),
                (_, 1) => (i, 0),
                (_, 2) => (i / last, i % last),
                shape => panic!("{}: {shape:?}", field.name),
            };
            let name = match part.labels.get(label) {
                Some(word) => format!("{}: {word}", field.name),
                None => field.name.clone(),
            };
            let (table, column) = columns[&name];
            assert_eq!(table, part.table);
            out.push((start + i, table, row, column));
        }
    }
    out
}

#[test]
fn both_forms_agree_element_by_element() {
    let places = places();
    let cells: BTreeSet<_> = places.iter().map(|&(_, t, r, c)| (t, r, c)).collect();
    let size: usize = Table::ALL.iter().map(|t| t.rows() * t.width()).sum();
    assert_eq!((places.len(), cells.len(), size), (OBS_LEN, OBS_LEN, OBS_LEN), "a bijection");
    let mut checked = 0;
    positions(|state| {
        if state.steps() % 11 != 0 && state.outcome().is_none() {
            return;
        }
        for viewer in 0..state.num_seats() {
            let row = row(state, viewer);
            let mut dense = [255; OBS_LEN];
            Relational::of(&row).write_into(&mut dense);
            for &(at, table, r, c) in &places {
                let view = Relational::of(&row).table(table);
                assert_eq!(view.get(r, c), row[at], "{} ({r}, {c})", table.name());
                assert_eq!(dense[table.span().start + r * view.width() + c], row[at]);
                checked += 1;
            }
            assert_eq!(relational::space().contains(&dense), Ok(()));
        }
    });
    assert!(checked > 1_000_000, "{checked}");
}

/// Rows that no game makes: all elements differ, so that a wrong place cannot pass by chance.
#[test]
fn the_dense_form_is_a_permutation_and_the_views_read_it() {
    let mut sorted: Vec<u16> = relational::GATHER.to_vec();
    sorted.sort_unstable();
    assert!(sorted.iter().copied().eq(0..OBS_LEN as u16));
    for byte in 0..2 {
        let row: Vec<u8> = (0..OBS_LEN).map(|i| (i >> (8 * byte)) as u8).collect();
        let mut dense = [0; OBS_LEN];
        Relational::of(&row).write_into(&mut dense);
        for table in Table::ALL {
            let view = Relational::of(&row).table(table);
            let span = &dense[table.span()];
            assert!(view.iter().eq(span.iter().copied()));
            for r in 0..view.rows() {
                assert!(view.row(r).eq(span[r * view.width()..(r + 1) * view.width()].iter().copied()));
            }
            assert_eq!(view.row(0).len(), table.columns().count());
        }
    }
}

#[test]
#[should_panic(expected = "(54, 0) is outside the table of 54 x 8")]
fn a_cell_outside_its_table_is_refused() {
    Relational::of(&[0; OBS_LEN]).table(Table::Node).get(54, 0);
}

#[test]
#[should_panic(expected = "an observation row has 1150 elements, this one 3")]
fn a_row_of_another_length_is_refused() {
    Relational::of(&[0; 3]);
}

/// The pages say of each part who may see it. What every seat may see is the same in all rows of a moment, turned
/// to the viewer; what the viewer alone may see differs between seats at some time.
#[test]
fn parts_are_seen_by_whom_the_table_says() {
    let mut differs: BTreeSet<&str> = BTreeSet::new();
    positions(|state| {
        if state.steps() % 3 != 0 {
            return;
        }
        let n = state.num_seats();
        let rows: Vec<_> = (0..n).map(|v| row(state, v)).collect();
        for viewer in 1..n {
            for table in Table::ALL {
                let (ours, theirs) =
                    (Relational::of(&rows[viewer]).table(table), Relational::of(&rows[0]).table(table));
                let turned = |k: usize| if k < n { (viewer + k) % n } else { k };
                for (c, column) in table.columns().enumerate() {
                    for r in 0..table.rows() {
                        let there = match table {
                            Table::Seat => theirs.get(turned(r), c),
                            // Columns of pieces are seats.
                            Table::Node | Table::Edge => {
                                theirs.get(r, c - column.number + turned(column.number))
                            }
                            _ => theirs.get(r, c),
                        };
                        if column.part.sight == Sight::Everyone {
                            assert_eq!(ours.get(r, c), there, "{} row {r}, viewer {viewer}", column.name());
                        } else if ours.get(r, c) != there {
                            differs.insert(column.part.name);
                        }
                    }
                }
            }
        }
    });
    let hidden: BTreeSet<&str> = PARTS.iter().filter(|p| p.sight == Sight::Viewer).map(|p| p.name).collect();
    assert_eq!(differs, hidden);
}

fn relation(from: Table, to: Table) -> &'static Relation {
    RELATIONS.iter().find(|r| (r.from, r.to) == (from, to)).expect("a relation")
}

fn pairs(from: Table, to: Table) -> BTreeSet<(u8, u8)> {
    let relation = relation(from, to);
    let pairs: BTreeSet<_> = relation.pairs().collect();
    assert_eq!(pairs.len(), relation.pairs().count(), "{} names a pair twice", relation.name);
    pairs
}

#[test]
fn the_relations_are_those_of_the_geometry() {
    use Table::{Edge, Harbour, Node, Tile};
    for r in &RELATIONS {
        assert_eq!(r.ids.len(), r.from.rows() * r.degree, "{}", r.name);
        assert!(r.ids.iter().all(|&id| id == NONE || usize::from(id) < r.to.rows()), "{}", r.name);
        let padded =
            r.ids.chunks(r.degree).all(|ids| ids.iter().skip_while(|&&x| x != NONE).all(|&x| x == NONE));
        assert!(padded, "{} has a gap before a neighbour", r.name);
    }
    let turned = |set: BTreeSet<(u8, u8)>| set.into_iter().map(|(a, b)| (b, a)).collect::<BTreeSet<_>>();
    for (a, b) in [(Tile, Node), (Tile, Edge), (Node, Edge), (Harbour, Node)] {
        assert_eq!(pairs(a, b), turned(pairs(b, a)), "{a:?} {b:?}");
    }
    for table in [Tile, Node, Edge] {
        assert_eq!(pairs(table, table), turned(pairs(table, table)), "{table:?}");
        assert!(pairs(table, table).iter().all(|(a, b)| a != b));
    }
    // From the corners of the tiles alone.
    let corners: BTreeSet<_> =
        TILE_NODES.iter().zip(0..).flat_map(|(nodes, t)| nodes.map(|n| (t, n))).collect();
    assert_eq!(pairs(Tile, Node), corners);
    let (mut near, mut sides) = (BTreeSet::new(), BTreeSet::new());
    for (nodes, t) in TILE_NODES.iter().zip(0u8..) {
        for c in 0..6 {
            let (a, b) = (nodes[c], nodes[(c + 1) % 6]);
            near.extend([(a, b), (b, a)]);
            let edge = edge_between(a, b).expect("an edge");
            assert_eq!(graph::TILE_EDGES[usize::from(t)][c], edge);
            sides.insert((t, edge));
        }
    }
    assert_eq!((pairs(Node, Node), pairs(Tile, Edge)), (near, sides));
    let touching =
        |a: u8, b: u8| EDGE_NODES[usize::from(a)].iter().any(|n| EDGE_NODES[usize::from(b)].contains(n));
    let met = (0..72).flat_map(|a| (0..72).map(move |b| (a, b))).filter(|&(a, b)| a != b && touching(a, b));
    assert_eq!(pairs(Edge, Edge), met.collect());
    for (node, (edges, nodes)) in (0..).zip(graph::NODE_EDGES.iter().zip(&graph::NODE_NODES)) {
        for (&edge, &far) in edges.iter().zip(nodes).filter(|(e, _)| **e != NONE) {
            assert_eq!(edge_between(node, far), Some(edge));
        }
    }
    // Tiles with a common side are one step apart in cube coordinates.
    let apart = |a: u8, b: u8| {
        (0..3).map(|i| TILE_XYZ[usize::from(a)][i].abs_diff(TILE_XYZ[usize::from(b)][i])).max()
    };
    let beside = (0..19).flat_map(|a| (0..19).map(move |b| (a, b))).filter(|&(a, b)| apart(a, b) == Some(1));
    assert_eq!(pairs(Tile, Tile), beside.collect());
}

/// The legal settlements, setup roads and victims of the robber, found from the tables and relations alone.
#[test]
fn the_relations_are_those_by_which_the_rules_play() {
    let mut met = [0; 4];
    positions(|state| {
        let Some(actor) = state.actor() else { return };
        let row = row(state, actor.into());
        let table = |t: Table| Relational::of(&row).table(t);
        let built = |node: u8| (0..8).any(|c| table(Table::Node).get(node.into(), c) == 1);
        let neighbours = |r: &'static Relation, of: u8| {
            let ids = &r.ids[usize::from(of) * r.degree..][..r.degree];
            ids.iter().copied().filter(|&id| id != NONE)
        };
        let node_nodes = relation(Table::Node, Table::Node);
        let node_edges = relation(Table::Node, Table::Edge);
        let in_play = |node: u8| !state.is_mini() || usize::from(node) < MINI_NODES;
        let open = |node: u8| in_play(node) && !built(node) && !neighbours(node_nodes, node).any(built);
        let legal: Vec<Action> = state.legal().iter().filter_map(|id| id.action()).collect();
        let settle: Vec<u8> = legal
            .iter()
            .filter_map(|a| if let Action::Settlement(n) = a { Some(*n) } else { None })
            .collect();
        match state.phase() {
            Phase::SetupSettlement => {
                met[0] += 1;
                assert_eq!(settle, (0..54).filter(|&n| open(n)).collect::<Vec<_>>());
            }
            Phase::SetupRoad => {
                met[1] += 1;
                let free = |e: u8| {
                    let empty = table(Table::Edge).row(e.into()).all(|x| x == 0);
                    empty && (!state.is_mini() || MINI_EDGE_SET >> e & 1 == 1)
                };
                let roads: Vec<_> = neighbours(node_edges, state.last_node()).filter(|&e| free(e)).collect();
                assert_eq!(legal, roads.into_iter().map(Action::Road).collect::<Vec<_>>());
            }
            Phase::Main if !settle.is_empty() => {
                met[2] += 1;
                let own_road =
                    |n: u8| neighbours(node_edges, n).any(|e| table(Table::Edge).get(e.into(), 0) == 1);
                assert_eq!(settle, (0..54).filter(|&n| open(n) && own_road(n)).collect::<Vec<_>>());
            }
            Phase::MoveRobber => {
                met[3] += 1;
                let column =
                    |t: Table, name: &str| t.columns().position(|c| c.name() == name).expect("a column");
                let (robber, hand) = (column(Table::Tile, "tile_robber"), column(Table::Seat, "hand_size"));
                let tiles = table(Table::Tile);
                let is_land = |t: usize| tiles.row(t).take(6).any(|x| x == 1);
                for tile in (0..19).filter(|&t| is_land(t) && tiles.get(t, robber) == 0) {
                    for k in 1..state.num_seats() {
                        let nodes = neighbours(relation(Table::Tile, Table::Node), tile as u8);
                        let here = nodes.into_iter().any(|n| {
                            let node = table(Table::Node);
                            node.get(n.into(), k) == 1 || node.get(n.into(), 4 + k) == 1
                        });
                        let rich = table(Table::Seat).get(k, hand) > 0;
                        let action = Action::Robber { tile: tile as u8, victim: k as u8 };
                        assert_eq!(legal.contains(&action), here && rich, "{action:?}");
                    }
                }
            }
            _ => {}
        }
    });
    assert!(met.iter().all(|&n| n > 20), "{met:?}");
}
