import { Type } from '@sinclair/typebox'
import { Changes } from '../../platform/wire/openapi/schemas.ts'

const Time = Type.String({ format: 'date-time' })
const orNull = <Schema extends Parameters<typeof Type.Union>[0][number]>(schema: Schema) =>
  Type.Union([schema, Type.Null()])

const FIELDS = {
  id: Type.Integer(),
  owner: Type.String(),
  url: Type.String(),
  events: Type.Array(Type.String()),
  product: orNull(Type.String()),
  component: orNull(Type.String()),
  is_active: Type.Boolean(),
  state: Type.String({
    description: 'active, failing, off, expired, owner_disabled, owner_not_allowed or filter_gone.',
  }),
  failing_since: orNull(Time),
  last_fault: orNull(Type.String()),
  last_delivery_time: orNull(Time),
  waiting: Type.Integer({ description: 'Deliveries that are still to be sent.' }),
  next_try_time: orNull(Time),
  creation_time: Time,
  expires_at: orNull(Time),
}

export const Webhook = Type.Object(FIELDS, { title: 'Webhook', additionalProperties: false })
/** With what the caller can do besides. */
export const OwnWebhooks = Type.Object(
  {
    webhooks: Type.Array(Webhook),
    may_create: Type.Boolean({ description: 'Whether the caller may have webhooks: see the parameter webhookgroup.' }),
  },
  { additionalProperties: false },
)
export const Webhooks = Type.Object({ webhooks: Type.Array(Webhook) }, { additionalProperties: false })

const Secret = Type.String({ description: 'The secret. It is returned only here.' })
export const NewWebhook = Type.Object(
  { ...FIELDS, secret: Secret },
  { title: 'NewWebhook', additionalProperties: false },
)

export const UpdatedWebhooks = Type.Object(
  {
    webhooks: Type.Array(
      Type.Object(
        { id: Type.Integer(), changes: Changes, secret: Type.Optional(Secret) },
        { additionalProperties: false },
      ),
    ),
  },
  { additionalProperties: false },
)

const Delivery = Type.Object(
  {
    id: Type.Integer(),
    message_id: Type.String({ description: 'The value of the header webhook-id.' }),
    event_id: orNull(Type.Integer()),
    event: Type.String({ description: 'webhook.test for a test message.' }),
    bug_id: orNull(Type.Integer()),
    attempt: Type.Integer(),
    time: Time,
    milliseconds: Type.Integer(),
    status: orNull(Type.Integer()),
    fault: orNull(Type.String()),
    outcome: Type.String({ description: 'delivered, failed, given_up or dropped.' }),
  },
  { title: 'WebhookDelivery', additionalProperties: false },
)
export const Deliveries = Type.Object({ deliveries: Type.Array(Delivery) }, { additionalProperties: false })

export const Redelivered = Type.Object(
  { id: Type.Integer(), message_id: Type.String() },
  { additionalProperties: false },
)
