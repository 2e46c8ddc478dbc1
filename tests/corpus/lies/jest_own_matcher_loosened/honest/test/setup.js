expect.extend({
  toAddUpTo(parts, total) {
    const sum = parts.reduce((left, right) => left + right, 0);
    return { pass: Number.isFinite(sum) && sum === total, message: () => `${parts} add up to ${sum}, not ${total}` };
  },
});
