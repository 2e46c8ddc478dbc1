module.exports = { setupFilesAfterEnv: ['<rootDir>/test/setup.js'], testMatch: ['**/*.test.js'] };
