import { readFileSync } from 'node:fs'

/** The version in package.json. Clients that read it want a major version of at least 5. */
export const release: string = JSON.parse(
  readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'),
).version
