const SHIPPING = 5;

function order(id, prices) {
  return { id, total: prices.reduce((sum, price) => sum + price, SHIPPING) };
}

module.exports = { order };
