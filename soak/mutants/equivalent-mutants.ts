import { EQUIVALENT_IN_ACCESS } from './equivalent-in-access.ts'
import { type EquivalentMutant, isMeant } from './equivalent-mutant.ts'
import type { Mutant } from './instrumented-copy.ts'

/** What differs only in speed is here too. Rights, visibility, limits and credentials are not: those get a test. */
export const EQUIVALENT_MUTANTS: readonly EquivalentMutant[] = [
  ...EQUIVALENT_IN_ACCESS,
  {
    file: 'src/bugs/rights/new-account-limits.ts',
    code: 'const written = Number((await tx.first(WRITTEN[kind], { id, since: secondsAgo(DAY_SECONDS) }))?.count ?? 0)',
    from: '(await tx.first(WRITTEN[kind], { id, since: secondsAgo(DAY_SECONDS) }))?.count',
    to: '(await tx.first(WRITTEN[kind], { id, since: secondsAgo(DAY_SECONDS) })).count',
    why: 'A statement that counts always returns a row.',
  },
  {
    file: 'src/people/sessions/session-store.ts',
    code: 'if (ended.length > 0) await noteCredentialsEnded(db)',
    from: 'ended.length > 0',
    to: 'ended.length >= 0',
    why: 'Listeners check their credentials once more than needed, and all are as they were.',
  },
  {
    file: 'src/people/sessions/session-store.ts',
    code: 'if (unused.length > 0) await noteCredentialsEnded(tx)',
    from: 'unused.length > 0',
    to: 'true',
    why: 'Listeners check their credentials once more than needed, and all are as they were.',
  },
  {
    file: 'src/people/groups/update-groups.ts',
    code: 'if (holding.length > 0 || mapped !== providers) await noteParametersChanged(tx)',
    from: 'holding.length > 0',
    to: 'holding.length >= 0',
    why: 'The parameters are read once more than needed.',
  },
  {
    file: 'src/people/group-grants.ts',
    code: 'const last = users.at(-1)',
    from: '-1',
    to: '+1',
    why: 'The next users begin with the third of these, so all users are tested, many of them several times.',
  },
  {
    file: 'src/people/factors/recovery-codes.ts',
    code: 'return Number((await db.first(countOf, { userId }))?.count ?? 0)',
    from: '(await db.first(countOf, { userId }))?.count',
    to: '(await db.first(countOf, { userId })).count',
    why: 'A statement that counts always returns a row.',
  },
  {
    file: 'src/people/providers/provider-fetch.ts',
    code: 'if (first === undefined || !found.every(({ address }) => isPublic(address)))',
    from: 'first === undefined',
    to: 'false',
    why: 'A lookup that finds no address fails, so there is always a first one.',
  },
  {
    file: 'src/people/users/find-users.ts',
    code: 'const NOTHING_SAVED: OwnSaved = { searches: [], reports: [] }',
    from: '[]',
    to: '["Stryker was here"]',
    why: 'What is saved is shown only with its owner, and is read whenever the owner is shown.',
  },
  {
    file: 'src/bugs/editing/batch/edit-store.ts',
    code: "if (isTouched('custom')) await saveCustomValues(tx, edits)",
    from: "isTouched('custom')",
    to: 'true',
    why: 'Only values that have changed are saved.',
  },
  {
    file: 'src/bugs/editing/bug-keyword-store.ts',
    code: 'if (keywordIds.length > 0) await tx.all(insertKeywords, { bugId, keywordIds: JSON.stringify(keywordIds) })',
    from: 'keywordIds.length > 0',
    to: 'true',
    why: 'A statement for no keywords inserts none.',
  },
  {
    file: 'src/bugs/editing/changes-in.ts',
    code: ': [],',
    from: '[]',
    to: '["Stryker was here"]',
    why: 'A text has no column, and what no bug has does not change.',
  },
  {
    file: 'src/bugs/history/read-history.ts',
    code: 'function charactersOf(lines: Iterable<readonly HistoryRow[]>) {',
    from: '{ let characters = 0 for (const rows of lines) for (const { removed, added } of rows) characters += CHARACTERS_OF_A_LINE + removed.length + added.length return characters }',
    to: '{}',
    why: 'The size decides only whether the response is written at once or in slices.',
  },
  {
    file: 'src/search/conditions/compile.ts',
    code: 'if (start > 0 && isTurnLong()) await laterTurn(db.limits.caller)',
    from: 'start > 0 && isTurnLong()',
    to: 'true',
    why: 'It waits for a turn more often than needed.',
  },
  {
    file: 'src/search/conditions/compile.ts',
    code: 'const items = ofKind[0]?.items',
    from: 'ofKind[0]?.items',
    to: 'ofKind[0].items',
    why: 'A group of a grouping has at least one element.',
  },
  {
    file: 'src/search/references.ts',
    code: "const isIndexed = operator !== 'isnotempty' && found?.ids !== undefined && isNoneMeant === never",
    from: "operator !== 'isnotempty' && found?.ids !== undefined && isNoneMeant === never",
    to: "operator !== 'isnotempty' && found?.ids !== undefined || isNoneMeant === never",
    why: 'It decides only in which order the database tests conditions.',
  },
  {
    file: 'src/search/conditions/change-conditions.ts',
    code: 'const change = { ...own, ...(removed && added && { removed, added }) }',
    from: 'removed && added',
    to: 'removed || added',
    why: 'Both values of a field can be read, or none.',
  },
]

export function isEquivalent(mutant: Mutant): boolean {
  return EQUIVALENT_MUTANTS.some((it) => isMeant(it, mutant))
}
