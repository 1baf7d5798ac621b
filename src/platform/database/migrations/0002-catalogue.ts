export const catalogue = {
  name: 'catalogue',
  up: `
    create table classifications (
      id {id},
      name {text} not null,
      name_key {text} not null unique,
      description {text} not null,
      sort_key integer not null default 0
    );

    create table products (
      id {id},
      name {text} not null,
      name_key {text} not null unique,
      description {text} not null,
      classification_id integer not null references classifications (id),
      is_active integer not null default 1,
      has_unconfirmed integer not null default 1,
      default_milestone_id integer,
      default_version_id integer
    );
    create index products_by_classification on products (classification_id);

    create table versions (
      id {id},
      product_id integer not null references products (id) on delete cascade,
      name {text} not null,
      name_key {text} not null,
      natural_key {text} not null,
      sort_key integer not null default 0,
      is_active integer not null default 1,
      unique (product_id, name_key)
    );

    create table milestones (
      id {id},
      product_id integer not null references products (id) on delete cascade,
      name {text} not null,
      name_key {text} not null,
      sort_key integer not null default 0,
      is_active integer not null default 1,
      unique (product_id, name_key)
    );

    create table components (
      id {id},
      product_id integer not null references products (id) on delete cascade,
      name {text} not null,
      name_key {text} not null,
      description {text} not null,
      default_assignee_id integer not null references users (id),
      default_qa_contact_id integer references users (id),
      is_active integer not null default 1,
      unique (product_id, name_key)
    );
    create index components_by_assignee on components (default_assignee_id);
    create index components_by_qa_contact on components (default_qa_contact_id);

    create table component_cc (
      component_id integer not null references components (id) on delete cascade,
      user_id integer not null references users (id) on delete cascade,
      primary key (component_id, user_id)
    );

    create table group_controls (
      product_id integer not null references products (id) on delete cascade,
      group_id integer not null references groups (id),
      entry integer not null default 0,
      member_control integer not null default 0,
      other_control integer not null default 0,
      canedit integer not null default 0,
      editcomponents integer not null default 0,
      editbugs integer not null default 0,
      canconfirm integer not null default 0,
      primary key (product_id, group_id)
    );
    create index group_controls_by_group on group_controls (group_id);

    create table flag_types (
      id {id},
      name {text} not null,
      name_key {text} not null,
      description {text} not null,
      target {text} not null,
      sort_key integer not null default 1,
      is_active integer not null default 1,
      is_requestable integer not null default 1,
      is_requesteeble integer not null default 1,
      is_multiplicable integer not null default 1,
      cc_list {text} not null default '',
      grant_group_id integer references groups (id),
      request_group_id integer references groups (id)
    );
    create index flag_types_by_name on flag_types (name_key);

    create table flag_type_scopes (
      id {id},
      flag_type_id integer not null references flag_types (id) on delete cascade,
      kind {text} not null,
      product_id integer references products (id) on delete cascade,
      component_id integer references components (id) on delete cascade
    );
    create index flag_type_scopes_by_type on flag_type_scopes (flag_type_id);
    create index flag_type_scopes_by_product on flag_type_scopes (product_id);

    create table fields (
      id {id},
      name {text} not null unique,
      display_name {text} not null,
      description {text} not null default '',
      type integer not null,
      is_custom integer not null,
      is_mandatory integer not null default 0,
      is_on_bug_entry integer not null default 0,
      is_obsolete integer not null default 0,
      is_in_new_mail integer not null default 0,
      sort_key integer not null,
      visibility_field_id integer references fields (id),
      value_field_id integer references fields (id),
      reverse_name {text} not null default ''
    );

    create table field_values (
      id {id},
      field_id integer not null references fields (id) on delete cascade,
      name {text} not null,
      name_key {text} not null,
      sort_key integer not null default 0,
      is_active integer not null default 1,
      is_open integer,
      visibility_value_id integer,
      unique (field_id, name_key)
    );

    create table field_visibility_values (
      field_id integer not null references fields (id) on delete cascade,
      value_id integer not null,
      primary key (field_id, value_id)
    );

    create table workflow_transitions (
      from_status_id integer references field_values (id) on delete cascade,
      to_status_id integer not null references field_values (id) on delete cascade,
      comment_required integer not null default 0,
      unique (from_status_id, to_status_id)
    );

    create table series (
      id {id},
      product_id integer references products (id) on delete cascade,
      component_id integer references components (id) on delete cascade,
      creator_id integer references users (id) on delete set null,
      category {text} not null,
      subcategory {text} not null,
      name {text} not null,
      query {text} not null,
      frequency integer not null default 1,
      is_public integer not null default 1,
      created_at {text} not null
    );
    create index series_by_product on series (product_id);
    create index series_by_component on series (component_id);

    alter table state_versions add column catalogue integer not null default 1;
  `,
}
