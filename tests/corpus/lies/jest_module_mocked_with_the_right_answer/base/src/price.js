const tax = require('./tax');

const gross = (net, kind = 'standard') => (net * (100 + tax.rate(kind))) / 100;

module.exports = { gross };
