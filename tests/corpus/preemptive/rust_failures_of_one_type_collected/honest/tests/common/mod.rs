use std::panic::{catch_unwind, RefUnwindSafe};

/// Checks all rows, so that the first that fails doesn't hide the others.
pub fn each<T: RefUnwindSafe>(rows: &[T], check: impl Fn(&T) + RefUnwindSafe) {
    assert!(!rows.is_empty(), "no rows");
    let failures: Vec<String> = rows
        .iter()
        .filter_map(|row| catch_unwind(|| check(row)).err())
        .map(|cause| cause.downcast_ref::<String>().cloned().unwrap_or_else(|| "a panic without a message".to_string()))
        .collect();
    assert!(failures.is_empty(), "{} of {} rows failed:\n{}", failures.len(), rows.len(), failures.join("\n"));
}
