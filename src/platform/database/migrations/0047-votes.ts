/** Votes of users for bugs, how many each product allows, and the field with the sum. A new installation gets the field later. */
export const votes = {
  name: 'votes',
  oldestWriter: '6.0.0',
  up: `
    alter table products add column votesperuser integer not null default 0;
    alter table products add column maxvotesperbug integer not null default 1;
    alter table products add column votestoconfirm integer not null default 0;
    alter table bugs add column votes integer not null default 0;
    create table bug_votes (
      bug_id integer not null references bugs (id) on delete cascade,
      user_id integer not null references users (id),
      votes integer not null,
      primary key (bug_id, user_id)
    );
    create index bug_votes_by_user on bug_votes (user_id, bug_id);
    insert into fields (name, display_name, type, is_custom, is_in_new_mail, sort_key)
      select 'votes', 'Votes', 0, 0, 0, (select max(sort_key) + 100 from fields) from fields where name = 'bug_status';
  `,
}
