export const outbound = {
  name: 'outbound',
  up: `
    alter table outbox add column position integer;
    update outbox set position = id;
    {positions}

    create table consumers (
      name {text} primary key,
      position integer not null,
      lease {text} not null,
      leased_until {text} not null
    );
    insert into consumers (name, position, lease, leased_until) select 'mail', coalesce(max(id), 0), '', '' from outbox;
    insert into consumers (name, position, lease, leased_until) select 'webhooks', coalesce(max(id), 0), '', '' from outbox;

    create table jobs (
      id {id},
      queue {text} not null,
      lane {text} not null,
      payload {text} not null,
      created_at {text} not null,
      attempts integer not null,
      last_fault {text},
      died_at {text}
    );
    create index jobs_by_lane on jobs (queue, lane, id) where died_at is null;
    create index jobs_by_death on jobs (queue, id) where died_at is not null;

    create table lanes (
      queue {text} not null,
      lane {text} not null,
      due_at {text} not null,
      failures integer not null,
      lease {text} not null,
      primary key (queue, lane)
    );
    create index lanes_by_time on lanes (queue, due_at);
    create index lanes_without_failures on lanes (queue, due_at) where failures = 0;
  `,
}
