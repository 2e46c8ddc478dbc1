// SPDX-License-Identifier: Apache-2.0
//! Text as JSON has it.

use std::fmt::Write;

/// A path as text: bytes that aren't UTF-8 become \xNN.
pub fn path_text(bytes: &[u8]) -> String {
    let mut text = String::new();
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        for byte in chunk.invalid() {
            let _ = write!(text, "\\x{byte:02x}");
        }
    }
    text
}

/// A text as a JSON string.
pub fn quoted(text: &str) -> String {
    let mut json = String::from("\"");
    for char in text.chars() {
        match char {
            '"' | '\\' => json.extend(['\\', char]),
            '\0'..='\x1f' => {
                let _ = write!(json, "\\u{:04x}", char as u32);
            }
            _ => json.push(char),
        }
    }
    json.push('"');
    json
}

#[cfg(test)]
mod tests {
    use super::{path_text, quoted};

    #[test]
    fn a_name_that_is_no_utf_8_is_escaped() {
        assert_eq!(path_text(b"\xc3\xa9\xff"), "\u{e9}\\xff");
        assert_eq!(quoted("a\"\\\n"), "\"a\\\"\\\\\\u000a\"");
    }
}
