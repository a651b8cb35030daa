//! Who may import whom. The table is the one of ARCHITECTURE.md; the facts come from `cargo metadata`.

use cargo_metadata::{DependencyKind, Metadata, MetadataCommand, Package};
use std::collections::BTreeSet;

fn metadata() -> Metadata {
    MetadataCommand::new().manifest_path("Cargo.toml").no_deps().exec().expect("cargo metadata")
}

fn normal(package: &Package) -> BTreeSet<String> {
    package
        .dependencies
        .iter()
        .filter(|d| d.kind == DependencyKind::Normal)
        .map(|d| d.name.to_string())
        .collect()
}

/// Every package of the workspace and all that it may import of ours.
const ARROWS: &[(&str, &[&str])] = &[
    ("agon-counting-allocator", &[]),
    ("rl-gym", &[]),
    ("agon-host", &["rl-gym"]),
    ("agon-classic", &["rl-gym"]),
    ("agon-settlers", &["rl-gym"]),
    ("agon-text-adventure", &["rl-gym"]),
    ("agon-policy", &["rl-gym"]),
    ("agon-ratings", &[]),
    ("agon-search", &["rl-gym"]),
    ("agon-league", &["rl-gym", "agon-host", "agon-policy", "agon-ratings"]),
    ("agon-skill", &["rl-gym"]),
    ("agon-skill-runtime", &["rl-gym", "agon-skill"]),
    ("agon-skill-agent", &["rl-gym", "agon-skill", "agon-skill-runtime"]),
    ("agon-skill-distill", &["rl-gym", "agon-skill", "agon-skill-runtime"]),
    ("agon-skill-bank", &["rl-gym", "agon-skill", "agon-skill-runtime", "agon-skill-agent"]),
    (
        "agon-skill-practice",
        &[
            "rl-gym",
            "agon-skill",
            "agon-skill-runtime",
            "agon-skill-agent",
            "agon-skill-distill",
            "agon-skill-bank",
        ],
    ),
    (
        "agon",
        &[
            "rl-gym",
            "agon-host",
            "agon-classic",
            "agon-settlers",
            "agon-text-adventure",
            "agon-policy",
            "agon-ratings",
            "agon-search",
            "agon-league",
            "agon-skill",
            "agon-skill-runtime",
            "agon-skill-agent",
            "agon-skill-distill",
            "agon-skill-bank",
            "agon-skill-practice",
        ],
    ),
];

#[test]
fn every_package_keeps_to_its_arrows() {
    let metadata = metadata();
    let ours: BTreeSet<String> = metadata.packages.iter().map(|p| p.name.to_string()).collect();
    let listed: BTreeSet<String> = ARROWS.iter().map(|(name, _)| (*name).to_owned()).collect();
    assert_eq!(ours, listed, "a package is missing in the table, or is gone");
    for (name, allowed) in ARROWS {
        let package = metadata.packages.iter().find(|p| p.name.as_str() == *name).expect("listed");
        for dependency in normal(package).intersection(&ours) {
            assert!(allowed.contains(&dependency.as_str()), "{name} must not import {dependency}");
        }
    }
}

#[test]
fn bevy_lives_in_the_host_alone() {
    for package in metadata().packages {
        let bevy: Vec<_> = normal(&package).into_iter().filter(|d| d.starts_with("bevy")).collect();
        assert!(bevy.is_empty() || package.name.as_str() == "agon-host", "{} imports {bevy:?}", package.name);
    }
}

/// What rules must never touch, in the sources of the step API and of the games.
const FORBIDDEN: &[&str] = &[
    "std::time",
    "Instant::now",
    "SystemTime",
    "std::net",
    "std::env::var",
    "HashMap",
    "HashSet",
    "thread_rng",
    "std::fs::",
];

#[test]
fn rules_read_no_clock_network_environment_or_hash_order() {
    // Replays are saved and loaded as files; nothing else under envs/ touches one.
    let exempt = ["envs/rl-gym/src/replay"];
    let mut seen = 0;
    for folder in ["envs/rl-gym/src", "envs/classic/src", "envs/settlers/src", "envs/text-adventure/src"] {
        walk(std::path::Path::new(folder), &mut |path, text| {
            seen += 1;
            let name = path.display().to_string();
            if exempt.iter().any(|e| name.starts_with(e)) {
                return;
            }
            // Unit tests stand last in a file and may use what they like.
            let rules = text.split("#[cfg(test)]").next().unwrap_or(text);
            for word in FORBIDDEN {
                assert!(!rules.contains(word), "{name} mentions {word}");
            }
        });
    }
    assert!(seen > 30, "only {seen} files were read");
}

fn walk(folder: &std::path::Path, each: &mut impl FnMut(&std::path::Path, &str)) {
    for entry in std::fs::read_dir(folder).expect("folder").map(|e| e.expect("entry").path()) {
        if entry.is_dir() {
            walk(&entry, each);
        } else if entry.extension().is_some_and(|e| e == "rs") {
            each(&entry, &std::fs::read_to_string(&entry).expect("source"));
        }
    }
}

#[test]
fn every_package_inherits_the_workspace_lints_and_is_not_published() {
    for package in metadata().packages {
        assert_eq!(package.publish, Some(Vec::new()), "{} could be published", package.name);
        let manifest = std::fs::read_to_string(&package.manifest_path).expect("manifest");
        assert!(manifest.contains("[lints]\nworkspace = true"), "{} has lints of its own", package.name);
    }
}
