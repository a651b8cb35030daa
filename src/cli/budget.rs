//! `90s`, `10m`, `2h`, `5000games`, `40gen`.

use agon_league::Budget;
use std::{fmt, str::FromStr};

/// A budget as typed.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct BudgetArg(pub(crate) Budget);

impl fmt::Display for BudgetArg {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Budget::Generations(n) => write!(f, "{n}gen"),
            Budget::Seconds(s) => write!(f, "{s}s"),
            Budget::Games(n) => write!(f, "{n}games"),
        }
    }
}

impl FromStr for BudgetArg {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let split = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
        let (digits, unit) = text.split_at(split);
        let whole = digits.parse::<u32>().ok().filter(|n| *n > 0);
        let seconds =
            |scale: f64| digits.parse::<f64>().ok().filter(|x| *x > 0.0).map(|x| Budget::Seconds(x * scale));
        let budget = match unit.trim() {
            "s" => seconds(1.0),
            "m" | "min" => seconds(60.0),
            "h" => seconds(3600.0),
            "games" | "game" => whole.map(|n| Budget::Games(n.into())),
            "gen" | "gens" | "generations" => whole.map(Budget::Generations),
            _ => None,
        };
        budget
            .map(Self)
            .ok_or_else(|| "write a number above 0 with a unit: 90s, 10m, 2h, 5000games or 40gen".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_and_refusals() {
        let parse = |t: &str| t.parse::<BudgetArg>().ok().map(|b| b.0);
        assert_eq!(parse("90s"), Some(Budget::Seconds(90.0)));
        assert_eq!(parse("1.5m"), Some(Budget::Seconds(90.0)));
        assert_eq!(parse("2h"), Some(Budget::Seconds(7200.0)));
        assert_eq!(parse("5000games"), Some(Budget::Games(5000)));
        assert_eq!(parse("40gen"), Some(Budget::Generations(40)));
        for text in ["40gen", "90s", "5000games", "1.5s"] {
            assert_eq!(text.parse::<BudgetArg>().expect("valid").to_string(), text);
        }
        for bad in ["", "40", "s", "0gen", "-3s", "4.5gen", "ten m", "5 parsecs", "0s"] {
            assert_eq!(parse(bad), None, "{bad}");
        }
    }
}
