import type { Answer } from '../../../client/call-types.ts'

type Counts = NonNullable<Answer<'GET /user/:user/api_key'>['api_keys'][number]['proposals']>

/** What became of the proposals of a key. */
export function rateInWords({ open, accepted, declined, other, acceptance }: Counts): string {
  const all = open + accepted + declined + other
  if (all === 0) return 'has proposed nothing yet'
  const parts = [
    `${all.toLocaleString()} ${all === 1 ? 'proposal' : 'proposals'}`,
    ...(open > 0 ? [`${open.toLocaleString()} open`] : []),
    ...(acceptance === null ? [] : [`${Math.round(acceptance * 100)} % of what was decided was accepted`]),
  ]
  return parts.join(', ')
}
