//! Players of a run: immutable, named and hashed.

use rl_gym::{Bot, Game, Genome, Policy, Spec};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Where a player comes from.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum PlayerKind {
    /// A named bot.
    Bot,
    /// A program outside this build: it plays ladders and duels, never a training run.
    Program,
    /// A genome of this run.
    Evolved {
        /// Generation of its birth.
        generation: u32,
        /// Id of the champion whose distribution it was drawn from.
        parent: Option<i64>,
        /// Its numbers, in the order of the game's genes.
        genes: Vec<f32>,
    },
}

impl PlayerKind {
    /// The word in the store.
    pub const fn word(&self) -> &'static str {
        match self {
            Self::Bot => "bot",
            Self::Program => "program",
            Self::Evolved { .. } => "evolved",
        }
    }
}

/// One player. Its hash covers everything that decides how it plays, so equal hashes play equally.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Player {
    /// blake3 of game, name or genes, and versions; 16 hex digits.
    pub hash: String,
    /// Name on the ladder.
    pub name: String,
    /// Version of the bot or of the meaning of the genes.
    pub version: u32,
    /// Where it comes from.
    #[serde(flatten)]
    pub kind: PlayerKind,
}

impl Player {
    /// A named bot.
    pub fn bot(game: &Game, bot: &Bot) -> Self {
        let text = format!("{} bot {} v{}", game.id(), bot.name, bot.version);
        Self {
            hash: digest(text.as_bytes()),
            name: bot.name.into(),
            version: bot.version,
            kind: PlayerKind::Bot,
        }
    }

    /// A program outside this build, known by its command line alone.
    pub fn program(game: &Game, name: String) -> Self {
        let hash = digest(format!("{} program {name}", game.id()).as_bytes());
        Self { hash, name, version: 1, kind: PlayerKind::Program }
    }

    /// A genome.
    pub fn evolved(
        game: &Game,
        genome: &Genome,
        name: String,
        genes: Vec<f32>,
        generation: u32,
        parent: Option<i64>,
    ) -> Self {
        let mut bytes = format!("{} genes v{} ", game.id(), genome.version).into_bytes();
        genes.iter().for_each(|g| bytes.extend(g.to_le_bytes()));
        let kind = PlayerKind::Evolved { generation, parent, genes };
        Self { hash: digest(&bytes), name, version: genome.version, kind }
    }
}

fn digest(bytes: &[u8]) -> String {
    blake3::hash(bytes).to_hex()[..16].to_owned()
}

/// Makes a policy for environments of a spec, on any thread.
type MakePolicy = dyn Fn(&Spec) -> Box<dyn Policy> + Send + Sync;

/// Something that can be made into a policy on any worker thread.
#[derive(Clone)]
pub enum Maker {
    /// A bot's constructor.
    Bot(fn(&Spec) -> Box<dyn Policy>),
    /// A genome's constructor and its numbers.
    Genes(fn(&Spec, &[f32]) -> Box<dyn Policy>, Vec<f32>),
    /// Whatever else makes a policy, such as one that runs a program.
    Made(Arc<MakePolicy>),
}

impl Maker {
    /// The maker of a player, when this build knows its bot or its genome.
    pub fn of(player: &Player, game: &Game) -> Option<Self> {
        match &player.kind {
            PlayerKind::Program => None,
            PlayerKind::Bot => {
                let players = agon_policy::Players::of(game);
                let bot = players.find(&player.name).ok()?;
                (bot.version == player.version).then_some(Self::Bot(bot.make))
            }
            PlayerKind::Evolved { genes, .. } => {
                let genome = game.genome.as_ref().filter(|g| g.version == player.version)?;
                (genes.len() == genome.genes.len()).then(|| Self::Genes(genome.make, genes.clone()))
            }
        }
    }

    /// A policy that plays as this player.
    pub fn make(&self, spec: &Spec) -> Box<dyn Policy> {
        match self {
            Self::Bot(make) => make(spec),
            Self::Genes(make, genes) => make(spec, genes),
            Self::Made(make) => make(spec),
        }
    }
}
