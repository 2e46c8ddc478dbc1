pub fn close(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-6_f64.max(a.abs() / 1e12)
}
