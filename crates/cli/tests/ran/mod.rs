//! A run of the command in a directory of its own, and what it left there.

#![allow(dead_code, reason = "each test file uses a part of this")]

use std::fs;
use std::path::Path;
use std::process::Output;

use assert_cmd::Command;
use serde_json::Value;
use tempfile::TempDir;

pub struct Ran {
    pub home: TempDir,
    pub output: Output,
}

impl Ran {
    /// Runs a command to its end.
    pub fn of(home: TempDir, command: &mut Command) -> Self {
        let output = command.current_dir(home.path()).output().unwrap();
        Self { home, output }
    }

    pub fn said(&self) -> String {
        String::from_utf8_lossy(&self.output.stderr).into_owned()
    }

    /// What was written to `w.json`.
    pub fn weighing(&self) -> Value {
        let text = fs::read(self.home.path().join("w.json")).unwrap_or_else(|_| panic!("{}", self.said()));
        serde_json::from_slice(&text).unwrap()
    }

    /// The weighings that are beside the captures, the one that holds most first.
    pub fn weighings(&self) -> Vec<Value> {
        let weighings = weighings(self.home.path());
        assert!(!weighings.is_empty(), "{}", self.said());
        weighings
    }
}

/// The weighings that are beside the captures of a directory, the one that holds most first.
pub fn weighings(home: &Path) -> Vec<Value> {
    let Ok(captures) = fs::read_dir(home.join("deadweight-captures")) else {
        return Vec::new();
    };
    let paths = captures.map(|entry| entry.unwrap().path());
    // In a capture, or beside a snapshot.
    let files = paths.flat_map(|path| [path.join("weighing.json"), path]);
    let files = files.filter(|path| path.to_string_lossy().ends_with("weighing.json"));
    let texts = files.filter_map(|path| fs::read(path).ok());
    let mut weighings: Vec<Value> = texts.map(|text| serde_json::from_slice(&text).unwrap()).collect();
    weighings.sort_by_key(|weighing| std::cmp::Reverse(weighing["held"]["bytes"].as_u64()));
    weighings
}
