/** Who hid what a user wrote and who restored it, and the order of accounts by age, in which waves of new ones are seen. */
export const misuse = {
  name: 'misuse',
  oldestWriter: '6.0.0',
  up: `
    alter table hidden_activities add column hidden_by_id integer references users (id) on delete set null;
    alter table hidden_activities add column restored_by_id integer references users (id) on delete set null;
    update hidden_activities set
      hidden_by_id = (select max(log.user_id) from audit_log as log where log.class = 'User' and log.field = 'hidden_activity'
        and log.object_id = hidden_activities.user_id and log.added = cast(hidden_activities.id as text)),
      restored_by_id = (select max(log.user_id) from audit_log as log where log.class = 'User' and log.field = 'hidden_activity'
        and log.object_id = hidden_activities.user_id and log.removed = cast(hidden_activities.id as text));
    create index hidden_activities_by_hider on hidden_activities (hidden_by_id);
    create index hidden_activities_by_restorer on hidden_activities (restored_by_id);
    create index users_by_creation on users (created_at, id);
  `,
}
