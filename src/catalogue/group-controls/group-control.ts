import { CONTROL } from '../../platform/database/coded-values.ts'

export { CONTROL }

export type ControlWord = keyof typeof CONTROL
export const CONTROL_WORDS = Object.keys(CONTROL) as ControlWord[]

export function controlWord(control: number): ControlWord {
  return CONTROL_WORDS[control] as ControlWord
}

/** How a product uses a group. */
export interface GroupControl {
  entry: 0 | 1
  membercontrol: number
  othercontrol: number
  canedit: 0 | 1
  editcomponents: 0 | 1
  editbugs: 0 | 1
  canconfirm: 0 | 1
}

/** The product does not use the group at all. */
export const NO_CONTROL: GroupControl = {
  entry: 0,
  membercontrol: CONTROL.NA,
  othercontrol: CONTROL.NA,
  canedit: 0,
  editcomponents: 0,
  editbugs: 0,
  canconfirm: 0,
}

export function isUsed(control: GroupControl) {
  return Object.values(control).some((part) => part !== 0)
}

export type WantedControl = {
  [Name in keyof GroupControl]?: (GroupControl[Name] extends 0 | 1 ? boolean : number) | undefined
}

export function changedControl(before: GroupControl, wanted: WantedControl): GroupControl {
  const flag = (name: 'entry' | 'canedit' | 'editcomponents' | 'editbugs' | 'canconfirm'): 0 | 1 => {
    const isOn = wanted[name]
    return isOn === undefined ? before[name] : isOn ? 1 : 0
  }
  return {
    entry: flag('entry'),
    membercontrol: wanted.membercontrol ?? before.membercontrol,
    othercontrol: wanted.othercontrol ?? before.othercontrol,
    canedit: flag('canedit'),
    editcomponents: flag('editcomponents'),
    editbugs: flag('editbugs'),
    canconfirm: flag('canconfirm'),
  }
}

/** A control with names instead of numbers, for lists of changes. */
export function wordedForm(control: GroupControl) {
  return {
    ...control,
    membercontrol: controlWord(control.membercontrol),
    othercontrol: controlWord(control.othercontrol),
  }
}

export function presentGroupControl({ id, name, ...control }: GroupControl & { id: number; name: string }) {
  return { id, name, ...presentRights(control) }
}

/** What a control opens, without its group and its product. */
export function presentRights(control: GroupControl) {
  return {
    entry: control.entry === 1,
    membercontrol: controlWord(control.membercontrol),
    othercontrol: controlWord(control.othercontrol),
    canedit: control.canedit === 1,
    editcomponents: control.editcomponents === 1,
    editbugs: control.editbugs === 1,
    canconfirm: control.canconfirm === 1,
  }
}

/** The control of a group that applies to a user with these groups. */
export function controlFor(
  group: { id: number; member_control: number; other_control: number },
  own: { ids: ReadonlySet<number> },
) {
  return own.ids.has(group.id) ? group.member_control : group.other_control
}
