export const bugs = {
  name: 'bugs',
  up: `
    create table bugs (
      id {id},
      product_id integer not null references products (id),
      component_id integer not null references components (id),
      version_id integer not null references versions (id),
      milestone_id integer not null references milestones (id),
      status_id integer not null references field_values (id),
      resolution_id integer not null references field_values (id),
      priority_id integer not null references field_values (id),
      severity_id integer not null references field_values (id),
      op_sys_id integer not null references field_values (id),
      platform_id integer not null references field_values (id),
      creator_id integer not null references users (id),
      assigned_to_id integer not null references users (id),
      qa_contact_id integer references users (id),
      summary {text} not null,
      url {text} not null default '',
      whiteboard {text} not null default '',
      created_at {text} not null,
      changed_at {text} not null,
      is_confirmed integer not null,
      is_cc_accessible integer not null default 1,
      is_creator_accessible integer not null default 1,
      dupe_of_id integer references bugs (id),
      deadline {text},
      estimated_hundredths integer not null default 0,
      remaining_hundredths integer not null default 0
    );
    create index bugs_by_product on bugs (product_id, status_id, id);
    create index bugs_by_component on bugs (component_id, status_id, id);
    create index bugs_by_assignee on bugs (assigned_to_id, status_id, id);
    create index bugs_by_creator on bugs (creator_id, id);
    create index bugs_by_qa_contact on bugs (qa_contact_id, id);
    create index bugs_by_version on bugs (version_id);
    create index bugs_by_milestone on bugs (milestone_id);
    create index bugs_by_dupe_of on bugs (dupe_of_id);
    create index bugs_by_change on bugs (changed_at, id);
    create index bugs_by_creation on bugs (created_at, id);

    create table bug_groups (
      bug_id integer not null references bugs (id) on delete cascade,
      group_id integer not null references groups (id),
      primary key (bug_id, group_id)
    );
    create index bug_groups_by_group on bug_groups (group_id, bug_id);

    create table bug_keywords (
      bug_id integer not null references bugs (id) on delete cascade,
      keyword_id integer not null references keywords (id) on delete cascade,
      primary key (bug_id, keyword_id)
    );
    create index bug_keywords_by_keyword on bug_keywords (keyword_id, bug_id);

    create table bug_custom_values (
      id {id},
      bug_id integer not null references bugs (id) on delete cascade,
      field_id integer not null references fields (id),
      text_value {text},
      number_value integer
    );
    create index bug_custom_values_by_bug on bug_custom_values (bug_id, field_id);
    create index bug_custom_values_by_number on bug_custom_values (field_id, number_value);

    create table bug_changes (
      id {id},
      bug_id integer not null references bugs (id) on delete cascade,
      user_id integer not null references users (id),
      at {text} not null,
      field {text} not null,
      removed {text} not null,
      added {text} not null,
      attachment_id integer,
      comment_id integer
    );
    create index bug_changes_by_bug on bug_changes (bug_id, id);
    create index bug_changes_by_field on bug_changes (field, at);
    create index bug_changes_by_user on bug_changes (user_id, at);

    create table flags (
      id {id},
      type_id integer not null references flag_types (id),
      bug_id integer not null references bugs (id) on delete cascade,
      attachment_id integer,
      status {text} not null,
      setter_id integer not null references users (id),
      requestee_id integer references users (id),
      created_at {text} not null,
      modified_at {text} not null
    );
    create index flags_by_bug on flags (bug_id, id);
    create index flags_by_type on flags (type_id);
    create index flags_by_requestee on flags (requestee_id);
  `,
}
