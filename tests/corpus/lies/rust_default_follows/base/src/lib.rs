/// Shows a difference of two amounts in cents.
pub fn difference(before: i64, after: i64) -> String {
    format!("{:.2}", (after - before) as f64 / 100.0)
}
