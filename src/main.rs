//! The `agon` command.

use std::process::ExitCode;

fn main() -> ExitCode {
    agon::Cli::new().bundled_games().run()
}
