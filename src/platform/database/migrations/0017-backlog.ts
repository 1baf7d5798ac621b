/** For the figures of /metrics: the oldest job of a queue is found at once, and events that were left out are counted. */
export const backlog = {
  name: 'backlog',
  up: `
    create index jobs_waiting on jobs (queue, id) where died_at is null;
    alter table consumers add column set_aside integer not null default 0;
  `,
}
