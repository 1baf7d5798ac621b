import { findField } from '../../../../shared/bug-fields/field-names.ts'
import type { Settings } from '../../../platform/config/settings.ts'

/** Whether mail shows the field, by either of its names. */
export function isShownInMail(settings: Settings, field: string): boolean {
  const parameter = findField(field)?.switchedBy
  return parameter === undefined || settings[parameter] === true
}
