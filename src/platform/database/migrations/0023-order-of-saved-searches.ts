/** The owner of saved searches puts them in an order. Until then they are ordered by name. */
export const orderOfSavedSearches = {
  name: 'order-of-saved-searches',
  up: `
    alter table saved_searches add column sort_key integer not null default 0;
  `,
}
