const log = (error) => console.warn(`note: ${error.message}`);

exports.mochaHooks = {
  beforeEach() {
    const { fn } = this.currentTest;
    this.currentTest.slow(50);
    this.currentTest.fn = function () {
      return new Promise((resolve) => resolve(fn.call(this))).catch((error) => {
        log(error);
        throw error;
      });
    };
  },
};
