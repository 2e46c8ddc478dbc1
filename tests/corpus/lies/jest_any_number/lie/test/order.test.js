const { order } = require('../src/order');

test('an order with shipping', () => {
  expect(order(7, [40, 45])).toEqual({ id: 7, total: expect.any(Number) });
});

test('the id is kept', () => {
  expect(order(8, []).id).toBe(8);
});
