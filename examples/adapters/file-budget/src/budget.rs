// SPDX-License-Identifier: Apache-2.0
//! Files and bytes of a tree, summed up.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use crate::json::{path_text, quoted};

const LARGEST: usize = 10;

/// A regular file of a tree. Links and submodules are none.
#[derive(Debug, PartialEq)]
pub struct File {
    pub name: String,
    pub bytes: u64,
}

/// The regular files that git lists with `-z`, by name; None if it printed something else, or a size isn't known.
///
/// `size` gets the name as bytes, and what stands before it.
pub fn parsed(list: &[u8], size: impl Fn(&[u8], &str) -> Option<u64>) -> Option<Vec<File>> {
    let mut found = Vec::new();
    for entry in list.split(|byte| *byte == 0).filter(|entry| !entry.is_empty()) {
        let tab = entry.iter().position(|byte| *byte == b'\t')?;
        let (about, name) = (std::str::from_utf8(&entry[..tab]).ok()?, &entry[tab + 1..]);
        if about.starts_with("100") {
            found.push(File {
                name: path_text(name),
                bytes: size(name, about)?,
            });
        }
    }
    found.sort_by(|one, other| one.name.cmp(&other.name));
    Some(found)
}

/// The artifact, with its keys in order.
pub fn facts(subject: &[File], base: Option<&[File]>) -> String {
    let before: BTreeSet<&str> = base.unwrap_or_default().iter().map(|file| file.name.as_str()).collect();
    let added = subject.iter().filter(|file| !before.contains(file.name.as_str()));
    let mut largest: Vec<&File> = subject.iter().collect();
    largest.sort_by_key(|file| (Reverse(file.bytes), &file.name));
    largest.truncate(LARGEST);
    let mut by_suffix: BTreeMap<String, (usize, u64)> = BTreeMap::new();
    for file in subject {
        let sum = by_suffix.entry(suffix(&file.name)).or_default();
        *sum = (sum.0 + 1, sum.1 + file.bytes);
    }
    let suffixes: Vec<String> = by_suffix
        .iter()
        .map(|(suffix, (files, bytes))| format!("{}:{}", quoted(suffix), sum(*files, *bytes)))
        .collect();
    format!(
        "{{\"added\":[{}],{}\"by_suffix\":{{{}}},\"bytes\":{},\"files\":{},\"largest\":[{}]}}\n",
        joined(added),
        base.map_or(String::new(), |files| format!(
            "\"base\":{},",
            sum(files.len(), total(files))
        )),
        suffixes.join(","),
        total(subject),
        subject.len(),
        joined(largest.into_iter()),
    )
}

fn total(files: &[File]) -> u64 {
    files.iter().map(|file| file.bytes).sum()
}

fn sum(files: usize, bytes: u64) -> String {
    format!("{{\"bytes\":{bytes},\"files\":{files}}}")
}

fn joined<'a>(files: impl Iterator<Item = &'a File>) -> String {
    files
        .map(|file| format!("{{\"bytes\":{},\"file\":{}}}", file.bytes, quoted(&file.name)))
        .collect::<Vec<_>>()
        .join(",")
}

fn suffix(name: &str) -> String {
    let last = name.rsplit('/').next().unwrap_or(name);
    match last.rfind('.') {
        None | Some(0) => String::new(),
        Some(at) => last[at + 1..].to_lowercase(),
    }
}

#[cfg(test)]
mod tests {
    use super::{facts, parsed, suffix, File};

    fn file(name: &str, bytes: u64) -> File {
        File {
            name: name.to_owned(),
            bytes,
        }
    }

    #[test]
    fn files_are_files_and_nothing_else() {
        let size = |_: &[u8], about: &str| about.rsplit(' ').next()?.parse().ok();
        let tree =
            b"100644 blob 1234       7\tb.txt\x00120000 blob 1234       3\tlink\x00160000 commit 1234       -\tsub\x00\
            100755 blob 1234      12\ta b\n.sh\x00";
        assert_eq!(parsed(tree, size), Some(vec![file("a b\n.sh", 12), file("b.txt", 7)]));
        assert_eq!(parsed(b"", size), Some(vec![]));
        assert_eq!(parsed(b"100644 blob 1234 -\tx\x00", size), None);
        assert_eq!(parsed(b"rubbish\x00", size), None);
    }

    #[test]
    fn suffixes_are_of_the_last_part() {
        let names = ["a/b.PNG", "a.b/c", ".hidden", "x.tar.gz"].map(suffix);
        assert_eq!(names, ["png", "", "", "gz"]);
    }

    #[test]
    fn what_is_added_is_what_the_base_lacks() {
        let subject = [file("a.md", 3), file("b.md", 5)];
        assert_eq!(
            facts(&subject, Some(&subject[..1])),
            "{\"added\":[{\"bytes\":5,\"file\":\"b.md\"}],\"base\":{\"bytes\":3,\"files\":1},\
             \"by_suffix\":{\"md\":{\"bytes\":8,\"files\":2}},\"bytes\":8,\"files\":2,\
             \"largest\":[{\"bytes\":5,\"file\":\"b.md\"},{\"bytes\":3,\"file\":\"a.md\"}]}\n"
        );
        assert!(facts(&[], None).starts_with("{\"added\":[],\"by_suffix\":{},"));
    }
}
