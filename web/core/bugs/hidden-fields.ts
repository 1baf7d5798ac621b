import { parameters } from '../account/session.ts'

/** The parameters that hide a field in the pages. Programs read and write these fields all the same. */
const SWITCHES: ReadonlyMap<string, string> = new Map([
  ['qa_contact', 'useqacontact'],
  ['see_also', 'use_see_also'],
  ['target_milestone', 'usetargetmilestone'],
  ['whiteboard', 'usestatuswhiteboard'],
])

/** Whether the pages show the field, by its name in the REST API. */
export function isShownField(name: string): boolean {
  const parameter = SWITCHES.get(name)
  return parameter === undefined || parameters.value[parameter] !== '0'
}

/** The history without the changes of hidden fields. */
export function shownHistory<Entry extends { changes: readonly { field_name: string }[] }>(
  history: readonly Entry[],
): readonly Entry[] {
  return history
    .map((entry) => ({ ...entry, changes: entry.changes.filter(({ field_name }) => isShownField(field_name)) }))
    .filter(({ changes }) => changes.length > 0)
}
