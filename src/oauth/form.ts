import { OAuthError } from '../people/oauth/oauth-error.ts'

/** Only these are read: a name from outside never becomes a property. */
const KNOWN = [
  'grant_type',
  'code',
  'redirect_uri',
  'code_verifier',
  'refresh_token',
  'scope',
  'resource',
  'token',
  'client_id',
  'client_secret',
] as const

export type FormFields = Readonly<Partial<Record<(typeof KNOWN)[number], string>>>

/** The fields of a form. One that is sent twice is refused, as OAuth says: otherwise one value could be checked and another one used. */
export function formIn(body: string): FormFields {
  const sent = new URLSearchParams(body)
  const fields: Partial<Record<(typeof KNOWN)[number], string>> = {}
  for (const name of KNOWN) {
    const [value, ...more] = sent.getAll(name)
    if (more.length > 0) throw new OAuthError('invalid_request', `The parameter ${name} is there twice.`)
    // An empty one counts as not sent (RFC 6749, 3.2).
    if (value !== undefined && value !== '') fields[name] = value
  }
  return fields
}
