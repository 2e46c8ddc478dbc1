//! Lines of `key=value`.

use std::num::ParseIntError;

#[derive(Debug, PartialEq)]
pub enum Error {
    NoEquals(usize),
    Number(ParseIntError),
}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Error::NoEquals(line) => write!(f, "line {line}: no equals sign"),
            Error::Number(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for Error {}

#[derive(Debug)]
pub struct Lines<'a>(Vec<(&'a str, &'a str)>);

impl<'a> Lines<'a> {
    pub fn parse(text: &'a str) -> Result<Self, Error> {
        text.lines()
            .enumerate()
            .map(|(at, line)| line.split_once('=').ok_or(Error::NoEquals(at + 1)))
            .collect::<Result<_, _>>()
            .map(Lines)
    }

    pub fn get(&self, key: &str) -> Option<&'a str> {
        self.0.iter().rev().find(|(name, _)| *name == key).map(|(_, value)| *value)
    }

    pub fn number(&self, key: &str) -> Result<Option<i32>, Error> {
        self.get(key).map(|value| value.parse().map_err(Error::Number)).transpose()
    }
}
