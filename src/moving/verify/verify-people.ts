import { readFileSync } from 'node:fs'
import { Refusal } from '../../platform/refusal.ts'

/** A person as whom both servers are asked. Without keys it is an anonymous caller. */
export interface VerifyPerson {
  readonly name: string
  readonly oldKey: string | undefined
  readonly newKey: string | undefined
}

export const ANONYMOUS: VerifyPerson = { name: 'anonymous', oldKey: undefined, newKey: undefined }

/** The people in the words of --as and in the file of --keys, and the anonymous caller. */
export function readPeople(
  words: readonly string[],
  keyFile: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
): VerifyPerson[] {
  const people = [
    ...(keyFile === undefined ? [] : peopleInFile(keyFile)),
    ...words.map((word) => personFrom(word, env)),
  ]
  const names = new Set<string>([ANONYMOUS.name])
  for (const { name } of people) {
    if (names.has(name)) throw new Refusal(`There are two people with the name ${name}. Give each another name.`)
    names.add(name)
  }
  return [...people, ANONYMOUS]
}

/** `name:KEY`, `name:OLDKEY:NEWKEY`, or only the name if the keys are in the environment. */
function personFrom(word: string, env: Readonly<Record<string, string | undefined>>): VerifyPerson {
  const [name = '', oldKey, newKey, ...rest] = word.split(':')
  if (name === '' || rest.length > 0)
    throw new Refusal('--as must be NAME:KEY, NAME:OLDKEY:NEWKEY, or NAME with the keys in the environment.')
  if (oldKey !== undefined) return person(name, oldKey, newKey ?? oldKey)
  const suffix = name.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')
  const [old, own] = [env[`OLD_KEY_${suffix}`], env[`NEW_KEY_${suffix}`]]
  if (!old && !own)
    throw new Refusal(`There is no key of ${name}. Set OLD_KEY_${suffix}, and NEW_KEY_${suffix} if it is another one.`)
  return person(name, old || own || '', own || old || '')
}

/** A JSON object with a key for each name, or with `{ "old": …, "new": … }`. */
function peopleInFile(file: string): VerifyPerson[] {
  let parsed: unknown
  try {
    parsed = JSON.parse(readFileSync(file, 'utf8'))
  } catch (fault) {
    const { code } = fault as NodeJS.ErrnoException
    throw new Refusal(`The keys in ${file} cannot be read: ${code ?? 'it is not JSON'}.`)
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) throw wrongFile(file)
  return Object.entries(parsed).map(([name, value]) => {
    if (typeof value === 'string') return person(name, value, value)
    const { old, new: own } = (value ?? {}) as { old?: unknown; new?: unknown }
    if (typeof old !== 'string' || (own !== undefined && typeof own !== 'string')) throw wrongFile(file)
    return person(name, old, own ?? old)
  })
}

function wrongFile(file: string) {
  return new Refusal(
    `${file} must be a JSON object with a key for each name: {"edna": "KEY", "ada": {"old": "KEY", "new": "KEY"}}.`,
  )
}

function person(name: string, oldKey: string, newKey: string): VerifyPerson {
  const isKey = (key: string) => /^[\x21-\x7e]{1,200}$/.test(key)
  if (!isKey(oldKey) || !isKey(newKey)) throw new Refusal(`The key of ${name} is empty, or not a key.`)
  return { name, oldKey, newKey }
}
