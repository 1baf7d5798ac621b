import type { Answer } from '../../../../client/call-types.ts'
import { nameInSentence } from '../../../core/name-in-sentence.ts'
import { USES_IN_WORDS } from '../audit/audit-words.ts'

/** How a product uses a group. */
export type Control = Omit<Answer<'GET /product/:product/group_control'>['group_controls'][number], 'id' | 'name'>
export type Use = Control['membercontrol']

export const NO_CONTROL: Control = {
  entry: false,
  membercontrol: 'NA',
  othercontrol: 'NA',
  canedit: false,
  editcomponents: false,
  editbugs: false,
  canconfirm: false,
}

export const SWITCHES = ['entry', 'canedit', 'canconfirm', 'editbugs', 'editcomponents'] as const
export type Switch = (typeof SWITCHES)[number]

export const SWITCH_TITLES: Record<Switch, string> = {
  entry: 'File only as a member',
  canedit: 'Change only as a member',
  canconfirm: 'Confirm',
  editbugs: 'Edit every field',
  editcomponents: 'Administer',
}

/** What one may choose for bugs that are filed by members, and by others. */
export const USES: readonly { value: Use; name: string }[] = [
  { value: 'NA', name: USES_IN_WORDS.NA },
  { value: 'Shown', name: USES_IN_WORDS.Shown },
  { value: 'Default', name: USES_IN_WORDS.Default },
  { value: 'Mandatory', name: USES_IN_WORDS.Mandatory },
]

/** The same data as the cells of its row, as a sentence. */
export function controlInWords(name: string, control: Control): string {
  const group = nameInSentence(name)
  const limits = [
    control.entry && `only members of ${group} file bugs`,
    control.canedit && `only members of ${group} change bugs`,
    rights(control),
  ].filter((it) => it !== false)
  const all = [useInWords(group, control), ...limits].join('; ')
  return `${all.charAt(0).toUpperCase()}${all.slice(1)}.`
}

function rights({ canconfirm, editbugs, editcomponents }: Control) {
  const given = [
    canconfirm && 'confirm bugs',
    editbugs && 'edit every field of bugs',
    editcomponents && 'administer the product',
  ].filter((it) => it !== false)
  return given.length > 0 && `members ${given.join(', ').replace(/, ([^,]*)$/, ' and $1')}`
}

function useInWords(group: string, { membercontrol: member, othercontrol: other }: Control): string {
  if (member === 'Mandatory') return `every bug is restricted to ${group}: nobody else sees the product`
  if (member === 'NA') return `no bug is restricted to ${group}`
  const members = member === 'Shown' ? 'only if they choose it' : 'unless they untick it'
  if (other === member)
    return `new bugs are restricted to ${group} ${member === 'Shown' ? 'if their reporter chooses it' : 'unless their reporter unticks it'}`
  const others = { NA: 'never', Shown: 'if they choose it', Default: 'unless they untick it', Mandatory: 'always' }[
    other
  ]
  return `new bugs of members are restricted to ${group} ${members}, those of others ${others}`
}

/** Some pairs mean nothing. The cell that was not touched follows, and `note` says so. */
export function corrected(
  control: Control,
  touched: 'membercontrol' | 'othercontrol',
): { control: Control; note?: string } {
  const { membercontrol: member, othercontrol: other } = control
  if (isPossible(member, other)) return { control }
  if (touched === 'membercontrol') {
    const next: Use = member === 'Default' ? 'Default' : member
    return { control: { ...control, othercontrol: next }, note: `For bugs of others it is now “${nameOf(next)}”, too.` }
  }
  const next: Use = member === 'Default' || member === 'NA' || other === 'NA' || other === 'Shown' ? 'Shown' : 'Default'
  return { control: { ...control, membercontrol: next }, note: `For bugs of members it is now “${nameOf(next)}”.` }
}

function isPossible(member: Use, other: Use) {
  if (member === 'NA') return other === 'NA'
  if (member === 'Mandatory') return other === 'Mandatory'
  return member === 'Shown' || other !== 'Shown'
}

function nameOf(use: Use) {
  return USES.find(({ value }) => value === use)?.name ?? use
}
