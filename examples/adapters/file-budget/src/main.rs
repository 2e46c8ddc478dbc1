// SPDX-License-Identifier: Apache-2.0
//! files:budget: sums up the tracked files of subject and base and writes file-budget.json.

mod budget;
mod json;

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::{env, fs, io};

const USAGE: &str = "usage: files:budget --task-dir DIR [--commitment FILE] [--claim FILE] [--profile FILE]";

fn main() -> ExitCode {
    let Some(task_dir) = task_dir(&env::args_os().skip(1).collect::<Vec<_>>()) else {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    };
    match measure(&task_dir) {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("{problem}");
            ExitCode::FAILURE
        }
    }
}

fn task_dir(words: &[OsString]) -> Option<PathBuf> {
    let (capability, flags) = words.split_first()?;
    if capability != "files:budget" {
        return None;
    }
    let mut found = None;
    for pair in flags.chunks(2) {
        match (pair[0].to_str()?, pair.get(1)?) {
            ("--task-dir", value) => found = Some(PathBuf::from(value)),
            ("--commitment" | "--claim" | "--profile", _) => {}
            _ => return None,
        }
    }
    found
}

fn measure(task_dir: &Path) -> io::Result<()> {
    let subject = budget::parsed(&git(&["ls-files", "-z", "--stage"])?, |name, _| {
        fs::symlink_metadata(OsStr::from_bytes(name))
            .ok()
            .map(|info| info.len())
    });
    let subject = subject.ok_or_else(|| io::Error::other("a file of the index can't be found"))?;
    let base = match env::var("GATE_BASE") {
        Ok(commit) if !commit.is_empty() => Some(in_commit(&commit)?),
        _ => None,
    };
    let target = task_dir.join("file-budget.json");
    let part = task_dir.join("file-budget.json.part");
    fs::write(&part, budget::facts(&subject, base.as_deref()))?;
    fs::rename(part, target)
}

fn in_commit(commit: &str) -> io::Result<Vec<budget::File>> {
    let tree = git(&["ls-tree", "-r", "-z", "--long", "--full-tree", commit])?;
    let found = budget::parsed(&tree, |_, about| about.rsplit(' ').next()?.parse().ok());
    found.ok_or_else(|| io::Error::other("git ls-tree printed something else than files"))
}

fn git(words: &[&str]) -> io::Result<Vec<u8>> {
    let done = Command::new("git").args(words).stderr(Stdio::inherit()).output()?;
    if !done.status.success() {
        return Err(io::Error::other(format!("git {} ended with {}", words[0], done.status)));
    }
    Ok(done.stdout)
}
