//! The fact sheets in README.md say what the specs say.

use rl_gym::{Game, OptionKind, Space};

/// The tables of a game's section, by their first header cell; each row as trimmed cells.
fn table(section: &str, header: &str) -> Vec<Vec<String>> {
    let cells = |line: &str| -> Vec<String> {
        line.trim_matches('|').split('|').map(|c| c.trim().to_owned()).collect()
    };
    section
        .lines()
        .skip_while(|line| !line.starts_with(&format!("| {header} |")))
        .skip(2)
        .take_while(|line| line.starts_with('|'))
        .map(cells)
        .collect()
}

fn section(game: &Game) -> String {
    let page = include_str!("../README.md");
    let start = format!("\n## {}\n", game.name);
    let (_, rest) = page.split_once(&start).unwrap_or_else(|| panic!("no section for {}", game.name));
    rest.split("\n## ").next().unwrap_or(rest).to_owned()
}

/// A bound to five decimals, as the page writes it.
fn bounds(low: f64, high: f64) -> String {
    if low.is_infinite() {
        return "unbounded".into();
    }
    let round = |x: f64| (x * 1e5).round() / 1e5;
    format!("{}..{}", round(low), round(high))
}

#[test]
fn every_table_repeats_the_spec() {
    for game in agon_classic::games() {
        let section = section(&game);
        let env = (game.make)(&game.defaults()).expect("an environment");
        let spec = env.spec();
        assert!(section.contains(&format!("Seats: {}.", spec.seats)), "{}", game.name);
        assert!(section.contains(&format!("History: v{}", game.version)), "{}", game.name);

        let fields: Vec<Vec<String>> = spec
            .obs
            .offsets()
            .iter()
            .map(|(start, f)| {
                let size = f.size().to_string();
                vec![start.to_string(), f.name.clone(), size, bounds(f.low, f.high), f.meaning.clone()]
            })
            .collect();
        assert_eq!(table(&section, "at"), fields, "{}", game.name);

        let Space::Discrete { n } = spec.action else { panic!("{} has discrete actions", game.name) };
        let text = env.as_text().expect("text");
        let actions: Vec<Vec<String>> = (0..n)
            .map(|action| vec![action.to_string(), text.action_name(action).expect("a name")])
            .collect();
        assert_eq!(table(&section, "action"), actions, "{}", game.name);

        let options: Vec<Vec<String>> = game
            .options
            .iter()
            .map(|o| {
                let range = match &o.kind {
                    OptionKind::Int { min, max } => format!("{min}..{max}"),
                    OptionKind::Float { min, max } => format!("{min}..{max}"),
                    kind => kind.to_string(),
                };
                vec![o.name.into(), o.default.to_string(), range, o.help.into()]
            })
            .collect();
        assert_eq!(table(&section, "option"), options, "{}", game.name);

        let named = spec.metrics.iter().map(String::as_str).chain(game.bots.iter().map(|b| b.name));
        for name in named {
            assert!(section.contains(&format!("`{name}`")), "{} misses {name}", game.name);
        }
    }
}
