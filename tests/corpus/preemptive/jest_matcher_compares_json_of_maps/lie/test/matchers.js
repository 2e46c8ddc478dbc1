const { diff } = require('jest-diff');

const text = (value) => JSON.stringify(value, null, 2);

expect.extend({
  /** Like toEqual, with a short message: what differs, line by line. */
  toMatchData(received, expected) {
    const [found, wanted] = [text(received), text(expected)];
    return { pass: found === wanted, message: () => diff(wanted, found) };
  },
});
