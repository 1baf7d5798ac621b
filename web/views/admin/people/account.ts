import type { Answer } from '../../../../client/call-types.ts'

export type Account = Answer<'GET /admin/people'>['people'][number]

/** The name, or the login name of who has none. */
export function nameIn({ real_name, name }: Pick<Account, 'name' | 'real_name'>) {
  return real_name === '' ? name : real_name
}
