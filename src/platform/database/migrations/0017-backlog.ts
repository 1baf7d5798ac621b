/** For /metrics: an index for the oldest job of a queue, and a count of events that were left out. */
export const backlog = {
  name: 'backlog',
  up: `
    create index jobs_waiting on jobs (queue, id) where died_at is null;
    alter table consumers add column set_aside integer not null default 0;
  `,
}
