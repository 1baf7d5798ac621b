/**
 * Who triages: rotations of people, and the person or rotation of a component. Queues of bugs that a group triages, with what was decided
 * about each bug, until when a bug waits, and who has one open now.
 */
export const triage = {
  name: 'triage',
  oldestWriter: '6.0.0',
  up: `
    insert into fields (name, display_name, type, is_custom, is_in_new_mail, sort_key)
      select 'triage_owner', 'Triage Owner', 0, 0, 0, (select max(sort_key) + 100 from fields) from fields where name = 'bug_status';

    create table rotations (
      id {id},
      name {text} not null,
      name_key {text} not null unique,
      period {text} not null,
      starts_at {text} not null,
      time_zone {text} not null
    );

    create table rotation_members (
      rotation_id integer not null references rotations (id) on delete cascade,
      position integer not null,
      user_id integer not null references users (id) on delete cascade,
      primary key (rotation_id, user_id)
    );
    create index rotation_members_by_user on rotation_members (user_id);

    alter table components add column triage_owner_id integer references users (id) on delete set null;
    alter table components add column rotation_id integer references rotations (id);
    create index components_by_triage_owner on components (triage_owner_id);
    create index components_by_rotation on components (rotation_id);

    create table triage_queues (
      id {id},
      name {text} not null,
      name_key {text} not null unique,
      query {text} not null,
      group_id integer not null references groups (id),
      rotation_id integer references rotations (id),
      aim_days integer
    );
    create index triage_queues_by_group on triage_queues (group_id);
    create index triage_queues_by_rotation on triage_queues (rotation_id);

    create table triage_decisions (
      id {id},
      queue_id integer not null references triage_queues (id) on delete cascade,
      bug_id integer not null references bugs (id) on delete cascade,
      user_id integer not null references users (id),
      kind {text} not null,
      at {text} not null,
      waited integer not null,
      until {text}
    );
    create index triage_decisions_by_time on triage_decisions (queue_id, at);
    create index triage_decisions_by_bug on triage_decisions (bug_id, queue_id);
    create index triage_decisions_by_user on triage_decisions (user_id);

    create table triage_snoozes (
      queue_id integer not null references triage_queues (id) on delete cascade,
      bug_id integer not null references bugs (id) on delete cascade,
      user_id integer not null references users (id) on delete cascade,
      until {text} not null,
      primary key (queue_id, bug_id)
    );
    create index triage_snoozes_by_bug on triage_snoozes (bug_id);
    create index triage_snoozes_by_user on triage_snoozes (user_id);

    create table triage_claims (
      queue_id integer not null references triage_queues (id) on delete cascade,
      bug_id integer not null references bugs (id) on delete cascade,
      user_id integer not null references users (id) on delete cascade,
      expires_at {text} not null,
      primary key (queue_id, bug_id)
    );
    create index triage_claims_by_bug on triage_claims (bug_id);
    create index triage_claims_by_user on triage_claims (user_id);
  `,
}
