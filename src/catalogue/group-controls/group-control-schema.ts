import { Type } from '@sinclair/typebox'
import { CONTROL_WORDS } from './group-control.ts'

export const ControlWord = Type.Union(CONTROL_WORDS.map((word) => Type.Literal(word)))

/** What a control opens, in responses; see `presentRights`. */
export const CONTROL_RIGHTS = {
  entry: Type.Boolean(),
  membercontrol: ControlWord,
  othercontrol: ControlWord,
  canedit: Type.Boolean(),
  editcomponents: Type.Boolean(),
  editbugs: Type.Boolean(),
  canconfirm: Type.Boolean(),
}
