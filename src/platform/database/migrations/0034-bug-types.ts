/** Gives each bug a type. Bugs that were filed before have none, which is `--`. A new installation gets the field later. */
export const bugTypes = {
  name: 'bug-types',
  oldestWriter: '6.0.0',
  up: `
    alter table bugs add column type_id integer references field_values (id);
    insert into fields (name, display_name, type, is_custom, is_in_new_mail, sort_key)
      select 'bug_type', 'Type', 2, 0, 1, (select max(sort_key) + 100 from fields) from fields where name = 'bug_status';
    insert into field_values (field_id, name, name_key, sort_key)
      select id, 'defect', 'defect', 100 from fields where name = 'bug_type'
      union all select id, 'enhancement', 'enhancement', 200 from fields where name = 'bug_type'
      union all select id, 'task', 'task', 300 from fields where name = 'bug_type'
      union all select id, '--', '--', 400 from fields where name = 'bug_type';
    update bugs set type_id = (
      select field_values.id from field_values join fields on fields.id = field_values.field_id
      where fields.name = 'bug_type' and field_values.name = '--'
    );
  `,
}
