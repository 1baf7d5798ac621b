/**
 * Changes that API keys with the scope `propose` have proposed, each of one bug or of a new one: what would be done in rows, which are decided one by
 * one, and the bugs and groups on which it depends who sees them.
 */
export const proposals = {
  name: 'proposals',
  oldestWriter: '6.0.0',
  up: `
    create table proposals (
      id {id},
      user_id integer not null references users (id),
      key_id integer not null,
      batch_id integer,
      kind {text} not null,
      bug_id integer references bugs (id) on delete cascade,
      attachment_id integer references attachments (id) on delete cascade,
      product_id integer not null references products (id) on delete cascade,
      component_id integer references components (id) on delete set null,
      reason {text} not null,
      at {text} not null,
      expires_at {text} not null,
      state {text} not null,
      state_at {text},
      state_by_id integer references users (id),
      note {text} not null
    );
    create index proposals_by_bug on proposals (bug_id, state, id);
    create index proposals_by_attachment on proposals (attachment_id) where attachment_id is not null;
    create index proposals_by_key on proposals (key_id, state, at);
    create index proposals_by_user on proposals (user_id, state, at);
    create index proposals_by_state on proposals (state, id);
    create index proposals_by_batch on proposals (batch_id) where batch_id is not null;
    create index proposals_by_product on proposals (product_id);
    create index proposals_by_component on proposals (component_id);
    create index proposals_by_state_user on proposals (state_by_id);

    create table proposal_rows (
      id {id},
      proposal_id integer not null references proposals (id) on delete cascade,
      name {text} not null,
      params {text} not null,
      lines {text} not null,
      reason {text} not null,
      is_for_insiders integer not null,
      is_for_time_trackers integer not null,
      state {text} not null,
      decided_at {text},
      decided_by_id integer references users (id),
      change_id integer,
      unique (proposal_id, name)
    );
    create index proposal_rows_by_decider on proposal_rows (decided_by_id);

    create table proposal_bugs (
      row_id integer not null references proposal_rows (id) on delete cascade,
      bug_id integer not null,
      primary key (row_id, bug_id)
    );

    create table proposal_groups (
      proposal_id integer not null references proposals (id) on delete cascade,
      group_id integer not null,
      primary key (proposal_id, group_id)
    );
  `,
}
