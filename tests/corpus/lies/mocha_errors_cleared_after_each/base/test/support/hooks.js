exports.mochaHooks = {
  beforeEach() {
    this.currentTest.slow(50);
  },
};
