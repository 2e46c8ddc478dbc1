/// Adds up prices in cents.
pub fn total(prices: &[u32]) -> u32 {
    prices.iter().fold(0, |sum, price| sum + price)
}
