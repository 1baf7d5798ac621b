import { readFileSync } from 'node:fs'

/** What `bin/lacewing start` gives to Node, from the script itself: options, and variables of the environment. */
export function startOptions(): { flags: string[]; variables: Record<string, string> } {
  const script = readFileSync(new URL('../../bin/lacewing', import.meta.url), 'utf8')
  const [, exported = '', flags = ''] = /\n {2}start\)\n +export (.*)\n +flags='(.*)'\n/.exec(script) ?? []
  const variables = Object.fromEntries(exported.split(' ').map((word) => word.split('=')))
  return { flags: ['--disable-warning=ExperimentalWarning', ...flags.split(' ')], variables }
}
