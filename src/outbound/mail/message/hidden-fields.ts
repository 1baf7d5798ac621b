import { bugFields, restNameOf } from '../../../bug-fields/field-names.ts'
import type { Settings } from '../../../platform/config/settings.ts'

const SWITCHES = new Map(
  bugFields.flatMap(({ name, switchedBy }) => (switchedBy === undefined ? [] : [[name, switchedBy] as const])),
)

/** Whether mail shows the field, by either of its names. */
export function isShownInMail(settings: Settings, field: string): boolean {
  const parameter = SWITCHES.get(restNameOf(field))
  return parameter === undefined || settings[parameter] === true
}
