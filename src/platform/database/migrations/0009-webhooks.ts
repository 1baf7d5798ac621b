export const webhooks = {
  name: 'webhooks',
  up: `
    create table webhooks (
      id {id},
      user_id integer not null references users (id) on delete cascade,
      url {text} not null,
      secret {text} not null,
      old_secret {text},
      old_secret_until {text},
      events {text} not null,
      product_id integer,
      component_id integer,
      is_active integer not null default 1,
      created_at {text} not null,
      expires_at {text},
      failures integer not null default 0,
      failing_since {text},
      last_fault {text}
    );
    create index webhooks_by_user on webhooks (user_id, id);

    create table webhook_deliveries (
      id {id},
      webhook_id integer not null references webhooks (id) on delete cascade,
      event_position integer not null,
      kind {text} not null,
      bug_id integer not null,
      attempt integer not null,
      at {text} not null,
      milliseconds integer not null,
      status integer,
      fault {text},
      outcome {text} not null
    );
    create index webhook_deliveries_by_webhook on webhook_deliveries (webhook_id, id);
    create index webhook_deliveries_by_time on webhook_deliveries (at);
  `,
}
