/**
 * By what a change was made. The position is the number that the database stores, so a new kind goes to the end.
 *
 * - unknown: made before this was recorded
 * - page: a page of this server
 * - login: a program with a password or a token
 * - key: an API key
 * - mail: a message to the server
 * - code: a source of code, such as a repository
 * - import: moved in from another tracker
 * - proposal: proposed with an API key, accepted by the user
 * - server: a command of the server, or what it does by itself
 */
export const CHANGE_SOURCES = [
  'unknown',
  'page',
  'login',
  'key',
  'mail',
  'code',
  'import',
  'proposal',
  'server',
] as const

export type ChangeSourceKind = (typeof CHANGE_SOURCES)[number]
