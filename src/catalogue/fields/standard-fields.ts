import type { ListedField } from '../../../shared/bug-fields/bug-field.ts'
import { bugFields } from '../../../shared/bug-fields/bug-fields.ts'
import { FIELD_TYPE } from './field.ts'

export interface StandardField {
  name: string
  display_name: string
  type: number
  is_mandatory: boolean
  /** Included in the mail about a new bug. */
  is_in_new_mail: boolean
}

const TYPES: Readonly<Record<NonNullable<ListedField['type']>, number>> = {
  select: FIELD_TYPE.singleSelect,
  keywords: FIELD_TYPE.keywords,
  time: FIELD_TYPE.dateTime,
  links: FIELD_TYPE.bugUrls,
}

/** The fields that every bug has. The id of a field is its position in this list, the same as in Bugzilla. */
export const STANDARD_FIELDS: readonly StandardField[] = bugFields
  .flatMap(({ name, searchName, listed }) => (listed === undefined ? [] : [{ name: searchName ?? name, ...listed }]))
  .sort((a, b) => a.id - b.id)
  .map(({ name, label, type, isMandatory = false, isInNewMail = false }) => ({
    name,
    display_name: label,
    type: type === undefined ? FIELD_TYPE.special : TYPES[type],
    is_mandatory: isMandatory,
    is_in_new_mail: isInNewMail,
  }))

/** The values of a new installation, in order, by the name of the field in the fields call. */
export const SHIPPED_VALUES: ReadonlyMap<string, readonly string[]> = new Map(
  bugFields.flatMap(({ name, searchName, values }) => (values === undefined ? [] : [[searchName ?? name, values]])),
)

export const SHIPPED_OPEN_STATUSES: readonly string[] = ['UNCONFIRMED', 'CONFIRMED', 'IN_PROGRESS']

/** Distance between consecutive sort keys, which leaves room for others between them. */
export const SORT_KEY_STEP = 100
