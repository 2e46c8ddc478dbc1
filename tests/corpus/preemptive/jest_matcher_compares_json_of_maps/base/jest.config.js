module.exports = { testMatch: ['**/test/**/*.test.js'] };
