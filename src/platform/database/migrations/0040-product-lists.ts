/** Indexes that have the bugs of a product in the orders of lists, so that the first of them are found without sorting all. */
export const productLists = {
  name: 'product-lists',
  oldestWriter: '6.0.0',
  up: `
    create index bugs_of_product_by_id on bugs (product_id, id);
    create index bugs_of_product_by_change on bugs (product_id, changed_at desc, id, status_id);
  `,
}
