import type { ExistingFlag } from '../flags/flag-texts.ts'
import type { ReadLine } from '../history/read-history.ts'
import { itemsToUndo } from './later-lines.ts'
import type { UndoPlan } from './undo.ts'

interface FlagText {
  name: string
  status: string
  requestee: string
}

/**
 * Plans the flags: one that was set is cleared, one that was cleared is set again, one that was answered is asked again. Each must
 * still be as the change has left it.
 */
export function planFlags(
  plan: UndoPlan,
  own: readonly ReadLine[],
  existing: readonly ExistingFlag[],
  after: readonly ReadLine[],
) {
  const { add, remove, conflicts } = itemsToUndo(own, after)
  plan.conflicts.push(...conflicts)
  const wanted: object[] = []
  const before = add.map(partsOf)
  const free = [...existing]
  for (const text of remove) {
    const index = free.findIndex((flag) => flag.text === text)
    const [flag] = index === -1 ? [] : free.splice(index, 1)
    if (flag === undefined) continue
    const { name } = partsOf(text)
    const asked = before.findIndex((it) => it.name === name)
    const [old] = asked === -1 ? [] : before.splice(asked, 1)
    wanted.push(old === undefined ? { id: flag.id, status: 'X' } : { id: flag.id, ...wantedOf(old) })
  }
  for (const flag of before) wanted.push({ name: flag.name, new: true, ...wantedOf(flag) })
  if (wanted.length > 0) plan.params = { ...plan.params, flags: wanted }
}

function wantedOf({ status, requestee }: FlagText) {
  return { status, ...(status === '?' && { requestee }) }
}

/** `review?(ada@example.org)` */
function partsOf(text: string): FlagText {
  const [, name = text, status = '', requestee = ''] = /^(.*?)([?+-])(?:\((.*)\))?$/s.exec(text) ?? []
  return { name, status, requestee }
}
