//! The tables of the README are those of the code.

use agon_settlers::{bots, observe, options_markdown};

#[test]
fn the_readme_holds_the_tables_of_the_code() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/README.md");
    let mut page = std::fs::read_to_string(path).expect("a README");
    let tables = [
        ("options", options_markdown()),
        ("observation", observe::markdown()),
        ("genes", bots::genes_markdown()),
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
        std::fs::write(path, &page).expect("the README is written");
    }
}
