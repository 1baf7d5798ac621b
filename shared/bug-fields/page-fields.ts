import { type BugField, bugFields, type FieldName } from './bug-fields.ts'

/** What the pages know of a field. What only they know about it is in `web/core/bugs/field-display.ts`. */
export interface PageField
  extends Pick<
    BugField,
    'searchName' | 'kind' | 'emptyValue' | 'defaultFrom' | 'switchedBy' | 'changedBy' | 'chosenBy' | 'quickNames'
  > {
  readonly name: FieldName
  readonly label?: string
}

/** The scripts of the pages contain this value instead of the whole table; see build-pages.ts in src. */
export const pageFields: readonly PageField[] = bugFields.map(
  ({ name, searchName, kind, emptyValue, defaultFrom, listed, switchedBy, changedBy, chosenBy, quickNames }) => ({
    name,
    ...(searchName !== undefined && { searchName }),
    kind,
    ...(emptyValue !== undefined && { emptyValue }),
    ...(defaultFrom !== undefined && { defaultFrom }),
    ...(listed !== undefined && { label: listed.label }),
    ...(switchedBy !== undefined && { switchedBy }),
    ...(changedBy !== undefined && { changedBy }),
    ...(chosenBy !== undefined && { chosenBy }),
    ...(quickNames !== undefined && { quickNames }),
  }),
)
