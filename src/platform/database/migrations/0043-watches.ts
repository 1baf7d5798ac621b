/** Products, components and keywords that users watch: each row has one of the three. */
export const watches = {
  name: 'watches',
  oldestWriter: '6.0.0',
  up: `
    create table watches (
      id {id},
      user_id integer not null references users (id) on delete cascade,
      product_id integer references products (id) on delete cascade,
      component_id integer references components (id) on delete cascade,
      keyword_id integer references keywords (id) on delete cascade
    );
    create unique index watches_of_products on watches (product_id, user_id) where product_id is not null;
    create unique index watches_of_components on watches (component_id, user_id) where component_id is not null;
    create unique index watches_of_keywords on watches (keyword_id, user_id) where keyword_id is not null;
    create index watches_by_user on watches (user_id, id);
  `,
}
