/** Dashboards, with their tiles as JSON, and the groups whose members may read each. */
export const dashboards = {
  name: 'dashboards',
  oldestWriter: '6.0.0',
  up: `
    create table dashboards (
      id {id},
      user_id integer not null references users (id) on delete cascade,
      name {text} not null,
      name_key {text} not null,
      tiles {text} not null,
      version integer not null,
      unique (user_id, name_key)
    );

    create table dashboard_groups (
      dashboard_id integer not null references dashboards (id) on delete cascade,
      group_id integer not null references groups (id) on delete cascade,
      primary key (dashboard_id, group_id)
    );
    create index dashboard_groups_by_group on dashboard_groups (group_id);
  `,
}
