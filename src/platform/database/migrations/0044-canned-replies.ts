/** Texts for comments that are written again and again, of one product or of all, for everybody or for one group. */
export const cannedReplies = {
  name: 'canned-replies',
  oldestWriter: '6.0.0',
  up: `
    create table canned_replies (
      id {id},
      product_id integer references products (id) on delete cascade,
      group_id integer references groups (id) on delete cascade,
      name {text} not null,
      name_key {text} not null,
      text {text} not null,
      is_private integer not null
    );
    create unique index canned_replies_by_name on canned_replies (coalesce(product_id, 0), name_key);
    create index canned_replies_by_product on canned_replies (product_id);
    create index canned_replies_by_group on canned_replies (group_id);
  `,
}
