/** What was hidden of a user who misused the tracker, so that it can be restored; see bugs/misuse. */
export const hiddenActivity = {
  name: 'hidden-activity',
  up: `
    create table hidden_activities (
      id {id},
      user_id integer not null references users (id) on delete cascade,
      at {text} not null,
      content {text} not null,
      restored_at {text}
    );
    create index hidden_activities_by_user on hidden_activities (user_id, id);
  `,
}
