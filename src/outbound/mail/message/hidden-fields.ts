import { restNameOf } from '../../../catalogue/fields/field-names.ts'
import type { Settings } from '../../../platform/config/settings.ts'

/** The parameters that hide a field in pages and mail. Programs read and write these fields all the same. */
const SWITCHES: ReadonlyMap<string, keyof Settings> = new Map([
  ['classification', 'useclassification'],
  ['qa_contact', 'useqacontact'],
  ['see_also', 'use_see_also'],
  ['target_milestone', 'usetargetmilestone'],
  ['whiteboard', 'usestatuswhiteboard'],
])

/** Whether mail shows the field, by either of its names. */
export function isShownInMail(settings: Settings, field: string): boolean {
  const parameter = SWITCHES.get(restNameOf(field))
  return parameter === undefined || settings[parameter] === true
}
