//! A run of a program under the command, and what it made.

#![allow(dead_code, reason = "each test file uses a part of this")]

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

pub struct Ran {
    pub home: TempDir,
    pub output: Output,
    pub weighings: Vec<Value>,
}

/// A run of `program.py` under the command, with options of its own and of the interpreter.
pub fn recorded_by(python: &str, program: &str, options: &[&str], flags: &[&str]) -> Ran {
    let home = tempfile::tempdir().unwrap();
    fs::write(home.path().join("program.py"), program).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_deadweight"))
        .args(["run", "--no-snapshot", "--dir", "captures"])
        .args(options)
        .args(["--", python])
        .args(flags)
        .arg("program.py")
        .current_dir(home.path())
        .output()
        .unwrap();
    Ran::of(home, output)
}

pub fn recorded(python: &str, program: &str) -> Ran {
    recorded_by(python, program, &["--churn"], &[])
}

impl Ran {
    /// With the weighings of all captures below its directory.
    pub fn of(home: TempDir, output: Output) -> Self {
        let captures = fs::read_dir(home.path().join("captures"));
        let paths = captures.into_iter().flatten().map(|entry| entry.unwrap().path());
        let weighings = paths
            .filter_map(|path| fs::read(path.join("weighing.json")).ok())
            .map(|text| serde_json::from_slice(&text).unwrap())
            .collect();
        Self {
            home,
            output,
            weighings,
        }
    }

    pub fn said(&self) -> String {
        String::from_utf8_lossy(&self.output.stderr).into_owned()
    }

    pub fn out(&self) -> String {
        String::from_utf8_lossy(&self.output.stdout).into_owned()
    }

    pub fn churned(&self) -> &Value {
        let [weighing] = &self.weighings[..] else {
            panic!("{} weighings: {}", self.weighings.len(), self.said());
        };
        assert!(weighing["churned"].is_object(), "{}", self.said());
        &weighing["churned"]
    }

    pub fn site(&self, place: &str) -> &Value {
        let sites = self.churned()["sites"].as_array().unwrap();
        let found = sites.iter().find(|site| site["site"] == place);
        found.unwrap_or_else(|| panic!("{place} is not in {sites:#?}"))
    }

    pub fn bytes(&self, place: &str) -> f64 {
        self.site(place)["bytes"].as_f64().unwrap()
    }

    pub fn rewrite(&self, finding: &Value) -> &Value {
        let rewrites = self.churned()["rewrites"].as_array().unwrap();
        let of_it = rewrites
            .iter()
            .find(|rewrite| rewrite["fingerprint"] == finding["fingerprint"]);
        of_it.unwrap_or_else(|| panic!("{finding:#}: {rewrites:#?}"))
    }

    /// The records of all processes.
    pub fn records(&self) -> Vec<PathBuf> {
        let captures = fs::read_dir(self.home.path().join("captures")).unwrap();
        let paths = captures.map(|entry| entry.unwrap().path().join("made.churn"));
        paths.filter(|path| path.is_file()).collect()
    }
}

pub fn near(found: f64, truth: f64, share: f64) -> bool {
    (found - truth).abs() <= truth * share
}
