import type { Builder } from '../platform/database/builder.ts'

/**
 * The only door to the bugs table. For work that serves no one in particular (guards of the catalogue, mail, integrity check);
 * say why at the call.
 */
export function bugsWhoeverAsks(builder: Builder, _why: string) {
  return builder.selectFrom('bugs')
}
