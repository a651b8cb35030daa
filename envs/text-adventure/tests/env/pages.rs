//! The tables of the README are those of the code.

use agon_text_adventure::{METRICS, bots, game, observe, options_markdown, predicates};
use rl_gym::Space;

fn metrics() -> String {
    let mut out = String::from("| metric | meaning |\n|---|---|\n");
    METRICS.iter().for_each(|(name, meaning)| out += &format!("| `{name}` | {meaning} |\n"));
    out
}

fn players() -> String {
    let mut out = String::from("| player | version | anchor | how it plays |\n|---|---|---|---|\n");
    for b in bots::bots() {
        let anchor = if b.anchor { "yes" } else { "no" };
        out += &format!("| `{}` | {} | {anchor} | {} |\n", b.name, b.version, b.summary);
    }
    out
}

#[test]
fn the_pages_hold_the_tables_of_the_code() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/README.md");
    let mut page = std::fs::read_to_string(path).expect("the README");
    let tables = [
        ("metrics", metrics()),
        ("options", options_markdown()),
        ("observation", observe::observation_markdown()),
        ("players", players()),
        ("genes", bots::genes_markdown()),
        ("predicates", predicates::predicates_markdown()),
    ];
    for (name, table) in tables {
        let (open, close) = (format!("<!-- {name} -->\n"), format!("<!-- end of {name} -->"));
        let start = page.find(&open).unwrap_or_else(|| panic!("no {open}")) + open.len();
        let end = page.find(&close).unwrap_or_else(|| panic!("no {close}"));
        if page[start..end] == table {
            continue;
        }
        // UPDATE_README=1 writes the table anew; read the difference before you keep it.
        assert!(
            std::env::var_os("UPDATE_README").is_some(),
            "the {name} table is out of date; expected:\n{table}"
        );
        page.replace_range(start..end, &table);
        std::fs::write(path, &page).expect("the page is written");
    }
}

#[test]
fn the_page_repeats_the_spec() {
    let page = include_str!("../../README.md");
    let game = game();
    let env = (game.make)(&game.defaults()).expect("an environment");
    let spec = env.spec();
    assert!(page.contains(&format!("Version {}.", game.version)));
    assert_eq!(spec.seats, 2, "the page says that rivals, the default, have two seats at least");
    assert_eq!(spec.action, Space::Discrete { n: 512 });
    let triple = game.resolve([("actions", "triple")]).expect("valid");
    let triple = (game.make)(&triple).expect("an environment");
    assert_eq!(triple.spec().action, Space::MultiDiscrete { n: vec![38, 253, 253] });
    let text = game.resolve([("actions", "text")]).expect("valid");
    assert_eq!((game.make)(&text).expect("an environment").spec().action.row_bytes(), 256);
    assert_eq!(size_of::<agon_text_adventure::World>(), 968);
}
