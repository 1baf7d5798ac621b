import { aboutField } from '../../platform/about-field.ts'
import type { BugTransaction } from '../../platform/database/db.ts'
import { onUniqueViolation } from '../../platform/database/on-unique-violation.ts'
import { statement } from '../../platform/database/statements/statement.ts'
import { errors } from '../../platform/errors.ts'
import { isLongerThan } from '../../platform/text/characters.ts'
import { fold } from '../../platform/text/fold.ts'
import { isOneLine } from '../../platform/text/one-line.ts'
import { splitWords } from '../../platform/text/split-words.ts'
import { requireAtMost } from '../../platform/wire/params.ts'
import { textIn } from './bug-values.ts'

const LONGEST = 40
/** The largest number of aliases in one call. */
export const MOST_ALIASES = 100

/** compat: a text has aliases separated by spaces or commas; a list has one alias per item. Empty items are ignored. */
export function aliasesIn(input: unknown): string[] {
  return aboutField('alias', () => listedAliases(input))
}

function listedAliases(input: unknown): string[] {
  const items = Array.isArray(input)
    ? input.map((item) => textIn('alias', item).trim())
    : splitWords(textIn('alias', input), MOST_ALIASES)
  const aliases = items.filter((item) => item !== '')
  return withoutRepeats(requireAtMost(MOST_ALIASES, 'alias', aliases))
}

/** Throws if an alias is not valid. Whether another bug has it shows only when it is saved. */
export function requireAliases(aliases: readonly string[]) {
  for (const alias of aliases) {
    const right = problemWith(alias)
    if (right !== undefined) throw errors.alias_wrong({ alias, right })
  }
}

function problemWith(alias: string): string | undefined {
  if (isLongerThan(alias, LONGEST)) return `it must have at most ${LONGEST} characters`
  if (/^\d+$/.test(alias)) return 'it must not be a number'
  if (/[\s,]/.test(alias) || !isOneLine(alias)) return 'it must not contain spaces or commas'
  return undefined
}

/** Each alias once, regardless of letter case. */
function withoutRepeats(aliases: readonly string[]): string[] {
  return [...new Map(aliases.map((alias) => [fold(alias), alias])).values()]
}

const insert = statement<{ bugId: number; alias: string; key: string }>()((q, p) =>
  q.insertInto('bug_aliases').values({ bug_id: p.bugId, alias: p.alias, alias_key: p.key }),
)
const remove = statement<{ bugId: number; keys: string }>()((q, p, d) =>
  q.deleteFrom('bug_aliases').where('bug_id', '=', p.bugId).where('alias_key', 'in', d.textsIn(p.keys)),
)

/** Throws 103 if another bug has one of the aliases. */
export async function addAliases(tx: BugTransaction, bugId: number, aliases: readonly string[]) {
  for (const alias of aliases) {
    const taken = () => errors.alias_wrong({ alias, right: 'another bug has it' })
    await onUniqueViolation(tx, taken, () => tx.all(insert, { bugId, alias, key: fold(alias) }))
  }
}

/** Aliases that the bug does not have are ignored. */
export async function removeAliases(tx: BugTransaction, bugId: number, aliases: readonly string[]) {
  if (aliases.length > 0) await tx.all(remove, { bugId, keys: JSON.stringify(aliases.map(fold)) })
}
