/**
 * One row for each call that changed something: who, when and by what, see shared/change-sources.ts. The source has an id if there are several of
 * its kind, such as API keys. History, comments and audit log have its number: null for what is older, 0 for what was imported.
 */
export const changeSources = {
  name: 'change-sources',
  oldestWriter: '6.0.0',
  up: `
    create table changes (
      id {id},
      user_id integer references users (id),
      at {text} not null,
      source integer not null,
      source_id integer,
      undoes_id integer
    );
    create index changes_by_source on changes (source, source_id, id) where source_id is not null;
    create index changes_by_undone on changes (undoes_id) where undoes_id is not null;
    create index changes_by_user on changes (user_id, id);

    alter table bug_changes add column change_id integer;
    create index bug_changes_by_change on bug_changes (change_id, bug_id) where change_id is not null;
    alter table comments add column change_id integer;
    create index comments_by_change on comments (change_id, bug_id) where change_id is not null;
    alter table audit_log add column change_id integer;
  `,
}
