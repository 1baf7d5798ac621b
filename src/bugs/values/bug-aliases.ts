import type { BugTransaction } from '../../platform/database/db.ts'
import { statement } from '../../platform/database/statements/statement.ts'
import { errors } from '../../platform/errors.ts'
import { isLongerThan } from '../../platform/text/characters.ts'
import { fold } from '../../platform/text/fold.ts'
import { isOneLine } from '../../platform/text/one-line.ts'
import { splitWords } from '../../platform/text/split-words.ts'
import { requireAtMost } from '../../platform/wire/params.ts'
import { textIn } from './bug-values.ts'

const LONGEST = 40
/** In one call. */
export const MOST_ALIASES = 100

/** compat: one text holds aliases with blanks or commas between them, a list holds one in each item. Empty ones are none. */
export function aliasesIn(given: unknown): string[] {
  const items = Array.isArray(given)
    ? given.map((item) => textIn('alias', item).trim())
    : splitWords(textIn('alias', given), MOST_ALIASES)
  const aliases = items.filter((item) => item !== '')
  return distinct(requireAtMost(MOST_ALIASES, 'alias', aliases))
}

/** Aliases that a bug can have; whether another bug has them shows when they are saved. */
export function requireAliases(aliases: readonly string[]) {
  for (const alias of aliases) {
    const right = faultIn(alias)
    if (right !== undefined) throw errors.alias_wrong({ alias, right })
  }
}

function faultIn(alias: string): string | undefined {
  if (isLongerThan(alias, LONGEST)) return `it must have at most ${LONGEST} characters`
  if (/^\d+$/.test(alias)) return 'it must not be a number'
  if (/[\s,]/.test(alias) || !isOneLine(alias)) return 'it must hold no blanks and no commas'
  return undefined
}

/** Letter case makes no difference. */
function distinct(aliases: readonly string[]): string[] {
  return [...new Map(aliases.map((alias) => [fold(alias), alias])).values()]
}

const insert = statement<{ bugId: number; alias: string; key: string }>()((q, p) =>
  q.insertInto('bug_aliases').values({ bug_id: p.bugId, alias: p.alias, alias_key: p.key }),
)
const remove = statement<{ bugId: number; keys: string }>()((q, p, d) =>
  q.deleteFrom('bug_aliases').where('bug_id', '=', p.bugId).where('alias_key', 'in', d.textsIn(p.keys)),
)

/** 103 when another bug has one of them. */
export async function addAliases(tx: BugTransaction, bugId: number, aliases: readonly string[]) {
  for (const alias of aliases) {
    try {
      await tx.all(insert, { bugId, alias, key: fold(alias) })
    } catch (fault) {
      throw tx.dialect.isUniqueViolation(fault) ? errors.alias_wrong({ alias, right: 'another bug has it' }) : fault
    }
  }
}

/** Those that the bug does not have make no difference. */
export async function removeAliases(tx: BugTransaction, bugId: number, aliases: readonly string[]) {
  if (aliases.length > 0) await tx.all(remove, { bugId, keys: JSON.stringify(aliases.map(fold)) })
}
