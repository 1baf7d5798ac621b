import { addressOf } from '../../../shared/rest-address.ts'

export type Joiners = 'invited' | 'domain' | 'everybody' | 'other'

export const SAVED_CALL = addressOf('/parameters', { include_fields: 'requirelogin,createemailregexp' })

/** The domain of a pattern that this step has made; undefined for others. */
export function domainIn(pattern: string): string | undefined {
  const domain = /^\^\[\^@\]\+@(.+)\$$/.exec(pattern)?.[1]?.replaceAll('\\', '')
  return domain !== undefined && patternOf('domain', domain) === pattern ? domain : undefined
}

export function joinersOf(pattern: string): Joiners {
  if (pattern === '') return 'invited'
  if (pattern === '.*') return 'everybody'
  return domainIn(pattern) === undefined ? 'other' : 'domain'
}

export function patternOf(joiners: Joiners, domain: string) {
  if (joiners === 'invited') return ''
  return joiners === 'everybody' ? '.*' : `^[^@]+@${domain.replaceAll(/[^A-Za-z0-9-]/g, (it) => `\\${it}`)}$`
}
