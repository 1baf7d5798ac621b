import type { Scope } from '../../platform/wire/call.ts'

/** What a program can be given, the safest first. Each comes with the scopes that it is of no use without. */
export const GRANTS = [
  { scope: 'read', scopes: ['read'] },
  { scope: 'propose', scopes: ['read', 'propose'] },
  { scope: 'write', scopes: ['read', 'write'] },
] as const satisfies readonly { scope: Scope; scopes: readonly Scope[] }[]

export type GrantedScope = (typeof GRANTS)[number]['scope']

export const SCOPES_SUPPORTED: readonly string[] = GRANTS.map(({ scope }) => scope)

/** What a user may choose from, and what is chosen at first: the safest that the program asked for. */
export interface OfferedScopes {
  offered: readonly GrantedScope[]
  preselected: GrantedScope
}

/**
 * From the scopes of a request, separated by spaces; undefined if the server knows none of them. Unknown ones are ignored, as OAuth allows.
 * The user may always give less than was asked for.
 */
export function offeredScopes(requested: string | undefined): OfferedScopes | undefined {
  const words = wordsIn(requested ?? '')
  const places = GRANTS.flatMap(({ scope }, place) => (words.length === 0 || words.includes(scope) ? place : []))
  const [safest] = places
  const widest = places.at(-1)
  if (safest === undefined || widest === undefined) return undefined
  const offered = GRANTS.slice(0, widest + 1).map(({ scope }) => scope)
  return { offered, preselected: (GRANTS[safest] as (typeof GRANTS)[number]).scope }
}

/** The scopes of a key as they are stored, for what the user has chosen. */
export function storedScopes(chosen: string): string | undefined {
  return GRANTS.find(({ scope }) => scope === chosen)?.scopes.join(',')
}

/** As OAuth writes them. */
export function scopesInWords(stored: string): string {
  return stored.replaceAll(',', ' ')
}

/** Whether each of the requested scopes, separated by spaces, is among those that were granted. */
export function areGranted(requested: string, stored: string): boolean {
  const granted = stored.split(',')
  const words = wordsIn(requested)
  return words.length > 0 && words.every((word) => granted.includes(word))
}

/** Of the stored scopes those that are requested. */
export function narrowed(stored: string, requested: string): string {
  const words = wordsIn(requested)
  return stored
    .split(',')
    .filter((scope) => words.includes(scope))
    .join(',')
}

function wordsIn(scopes: string): string[] {
  return scopes.split(' ').filter((word) => word !== '')
}
