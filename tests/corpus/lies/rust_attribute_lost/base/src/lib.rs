/// Returns the middle value.
pub fn median(values: &mut Vec<i32>) -> i32 {
    values.sort();
    values[values.len() / 2]
}
