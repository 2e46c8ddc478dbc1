const { parseQuery, buildQuery } = require('./query');

const LARGEST = 100;

/** What a page of a list needs to know, from the query of its address. */
function pageOf(query, total) {
  const { page = '1', size = '20', ...rest } = parseQuery(query);
  const perPage = Math.min(Math.max(Number.parseInt(size, 10) || 20, 1), LARGEST);
  const last = Math.max(Math.ceil(total / perPage), 1);
  const number = Math.min(Math.max(Number.parseInt(page, 10) || 1, 1), last);
  return {
    number,
    last,
    first: (number - 1) * perPage,
    count: Math.min(perPage, total - (number - 1) * perPage),
    filters: rest,
  };
}

/** Links to the pages around one, with its filters. */
function links(page, perPage = 20) {
  const link = (number) => buildQuery({ ...page.filters, page: String(number), size: String(perPage) });
  return {
    previous: page.number > 1 ? link(page.number - 1) : null,
    next: page.number < page.last ? link(page.number + 1) : null,
  };
}

module.exports = { pageOf, links };
