/// Renders a table of two columns.
pub fn table(rows: &[(&str, u32)]) -> String {
    rows.iter().map(|(name, count)| format!("{name} {count}\n")).collect()
}
