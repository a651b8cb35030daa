//! The tables of the pages are those of the code.

use agon_settlers::observe::{self, graph, relational};
use agon_settlers::{bots, options_markdown, words};

/// Page, name of the table in it, the table.
fn tables() -> [(&'static str, &'static str, String); 6] {
    [
        ("README.md", "options", options_markdown()),
        ("README.md", "genes", bots::genes_markdown()),
        ("docs/observation.md", "observation", observe::markdown()),
        ("docs/observation.md", "relational", relational::markdown()),
        ("docs/observation.md", "relations", graph::markdown()),
        ("docs/words.md", "words", words::markdown()),
    ]
}

#[test]
fn the_pages_hold_the_tables_of_the_code() {
    for (file, name, table) in tables() {
        let path = format!("{}/{file}", env!("CARGO_MANIFEST_DIR"));
        let mut page = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{file}: {e}"));
        let (open, close) = (format!("<!-- {name} -->\n"), format!("<!-- end of {name} -->"));
        let start = page.find(&open).unwrap_or_else(|| panic!("{file}: no {open}")) + open.len();
        let end = page.find(&close).unwrap_or_else(|| panic!("{file}: no {close}"));
        if page[start..end] == table {
            continue;
        }
        // UPDATE_README=1 writes the table anew; read the difference before you keep it.
        assert!(
            std::env::var_os("UPDATE_README").is_some(),
            "the {name} table of {file} is out of date; expected:\n{table}"
        );
        page.replace_range(start..end, &table);
        std::fs::write(&path, &page).expect("the page is written");
    }
}
