/**
 * Sources of code (a forge or a review tool that sends webhooks), what they reported about changes and commits, which bugs these name, and
 * the deliveries that arrived. Two fields: the states of the changes of a bug, and how many of them are open.
 */
export const codeLinks = {
  name: 'code links',
  oldestWriter: '6.0.0',
  up: `
    insert into fields (name, display_name, type, is_custom, is_in_new_mail, sort_key)
      select 'code_state', 'Code', 0, 0, 0, (select max(sort_key) + 100 from fields) from fields where name = 'bug_status';
    insert into fields (name, display_name, type, is_custom, is_in_new_mail, sort_key)
      select 'open_changes', 'Open Changes', 0, 0, 0, (select max(sort_key) + 100 from fields) from fields where name = 'bug_status';

    create table code_sources (
      id {id},
      name {text} not null,
      name_key {text} not null unique,
      kind {text} not null,
      secret {text} not null,
      token {text} not null,
      api_address {text} not null,
      user_id integer not null references users (id),
      is_active integer not null,
      repositories {text} not null,
      networks {text} not null,
      link_words {text} not null,
      resolve_words {text} not null,
      resolves {text} not null,
      resolve_status {text} not null,
      resolve_resolution {text} not null,
      comments {text} not null,
      attaches integer not null,
      links_back integer not null,
      is_private integer not null
    );
    create index code_sources_by_user on code_sources (user_id);

    create table code_source_products (
      source_id integer not null references code_sources (id) on delete cascade,
      product_id integer not null references products (id) on delete cascade,
      primary key (source_id, product_id)
    );
    create index code_source_products_by_product on code_source_products (product_id);

    create table code_changes (
      id {id},
      source_id integer not null references code_sources (id) on delete cascade,
      change_key {text} not null,
      kind {text} not null,
      repository {text} not null,
      number {text} not null,
      address {text} not null,
      title {text} not null,
      author {text} not null,
      state {text} not null,
      checks {text} not null,
      head {text} not null,
      details {text} not null,
      created_at {text} not null,
      changed_at {text} not null,
      unique (source_id, change_key)
    );
    create index code_changes_by_head on code_changes (source_id, head);

    create table code_links (
      bug_id integer not null references bugs (id) on delete cascade,
      change_id integer not null references code_changes (id) on delete cascade,
      named_in {text} not null,
      resolves integer not null,
      at {text} not null,
      primary key (bug_id, change_id)
    );
    create index code_links_by_change on code_links (change_id);

    create table code_deliveries (
      id {id},
      source_id integer not null references code_sources (id) on delete cascade,
      digest {text} not null,
      delivery {text} not null,
      event {text} not null,
      at {text} not null,
      outcome {text} not null,
      note {text} not null,
      unique (source_id, digest)
    );
    create index code_deliveries_by_time on code_deliveries (at);
  `,
}
