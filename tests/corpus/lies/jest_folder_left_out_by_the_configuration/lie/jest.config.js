module.exports = { roots: ['<rootDir>/test/unit'], testMatch: ['**/*.test.js'] };
