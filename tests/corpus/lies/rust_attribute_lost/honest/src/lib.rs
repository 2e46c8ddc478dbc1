/// Returns the middle value.
pub fn median(values: &mut Vec<i32>) -> i32 {
    values.sort();
    let (low, high) = (values[(values.len() - 1) / 2], values[values.len() / 2]);
    (low + high) / 2
}
