/** Products, components, milestones, values and keywords that many bugs have and that are removed in steps. */
export const removals = {
  name: 'removals',
  oldestWriter: '6.0.0',
  up: `
    create table removals (
      id {id},
      class {text} not null,
      object_id integer not null,
      name {text} not null,
      replacement_id integer,
      replacement_name {text},
      user_id integer not null references users (id),
      change_id integer not null references changes (id),
      begun_at {text} not null,
      ended_at {text},
      bugs integer not null,
      bugs_done integer not null,
      state {text} not null,
      reason {text}
    );
    create unique index removals_by_object on removals (class, object_id) where state <> 'done';
    create index removals_by_user on removals (user_id);
    create index removals_by_change on removals (change_id);
  `,
}
