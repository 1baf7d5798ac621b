import { Type } from '@sinclair/typebox'
import type { Factor as FactorRow } from './factor-store.ts'

const OfPasskey = { description: 'Null for an app.' }

export const Factor = Type.Object(
  {
    id: Type.Integer(),
    kind: Type.Union([Type.Literal('totp'), Type.Literal('passkey')]),
    name: Type.String(),
    host: Type.Union([Type.String(), Type.Null()], {
      description: 'The host name for which a passkey was made: it works at no other. Null for an app.',
    }),
    transports: Type.Union([Type.Array(Type.String()), Type.Null()], {
      description: 'How the browser reaches a passkey, such as internal, usb or hybrid. Null for an app.',
    }),
    is_multi_device: Type.Union([Type.Boolean(), Type.Null()], OfPasskey),
    is_backed_up: Type.Union([Type.Boolean(), Type.Null()], OfPasskey),
    created_at: Type.String({ format: 'date-time' }),
    last_used: Type.Union([Type.String({ format: 'date-time' }), Type.Null()]),
  },
  { title: 'Factor', additionalProperties: false },
)

/** Without secrets and keys. */
export function presentFactor(row: FactorRow) {
  const isPasskey = row.kind === 'passkey'
  return {
    id: row.id,
    kind: row.kind,
    name: row.name,
    host: isPasskey ? row.rp_id : null,
    transports: isPasskey ? row.transports.split(',').filter((it) => it !== '') : null,
    is_multi_device: isPasskey ? row.is_multi_device === 1 : null,
    is_backed_up: isPasskey ? row.is_backed_up === 1 : null,
    created_at: row.created_at,
    last_used: row.last_used_at,
  }
}
