module.exports = { roots: ['<rootDir>/test'], testMatch: ['**/*.test.js'] };
