/// Adds up prices in cents.
pub fn total(prices: &[u32]) -> u32 {
    prices.windows(2).map(|pair| pair[0]).sum()
}
