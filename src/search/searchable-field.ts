import { sql } from 'kysely'
import { seesAddresses } from '../access/visibility/reader-rights.ts'
import type { IndexedColumn } from '../platform/database/tables.ts'
import { textFunctions } from '../platform/dialects/text-functions.ts'
import { type ComparedValue, compared, moment, number, type SortBy, text, yesOrNo } from './conditions/compared.ts'
import { always, type Condition, type Sql } from './conditions/condition.ts'
import type { Items } from './conditions/search-items.ts'
import type { SearchContext } from './search-context.ts'
import { containsText } from './text/contains-text.ts'

/** How a field is searched: whether it belongs to the bug or to its items, and what kind of value it has. */
export interface SearchableField {
  readonly items?: Items
  readonly value: SearchableValue
}

export type SearchableValue = ComparedValue | Reference

/** A reference to a row of another table, which is searched by its name. */
export interface Reference {
  readonly id: Sql
  readonly to: ReferenceTarget
  /** The column of the bug that has the id, if there is one. */
  readonly column?: string
  /** It can be null, which is like a row with an empty name. */
  readonly isOptional?: boolean
  /** It is a user, so that pronouns can be used. */
  readonly isPerson?: boolean
  /** The condition that the id is in a list, if it is not just `id in (…)`. `has` returns whether the list may contain an id. */
  readonly isIn?: (list: Sql, has: (id: number) => boolean) => Condition
}

/** The rows that a reference points to. */
export interface ReferenceTarget {
  readonly table: string
  readonly among: Condition
  readonly name: ComparedValue
  readonly sort: readonly SortBy[]
  /** There can be a hundred thousand of them. */
  readonly areMany?: boolean
  /** For rows of the catalogue: the key under which ids that were looked up by name are kept until it changes. */
  readonly keptAs?: string
}

export function isReference(value: SearchableValue): value is Reference {
  return 'to' in value
}

/** Makes the values of the fields in searchable-fields.ts, for one field and one search. */
export class FieldBuilder {
  readonly context: SearchContext
  private readonly name: string
  private readonly sentAs: string

  constructor(context: SearchContext, name: string, sentAs = name) {
    this.context = context
    this.name = name
    this.sentAs = sentAs
  }

  private get dialect() {
    return this.context.db.dialect
  }

  /** Text, and its case-folded form, if that is stored. */
  text(written: Sql, folded?: Sql): ComparedValue {
    return text(this.dialect, written, folded)
  }

  /** Text of a bug with an index of its parts. */
  indexedText(column: IndexedColumn): ComparedValue {
    const compared = this.text(sql.ref(`bugs.${column}`), sql.ref(`bugs.${column}_key`))
    return { ...compared, contains: (input) => containsText(this.dialect, column, input, this.context.texts) }
  }

  number(stored: Sql): ComparedValue {
    return number(this.dialect, this.sentAs, stored)
  }

  /** An id consists of digits, so that it is one word. */
  bugId(stored: Sql): ComparedValue {
    const id = this.number(stored)
    return { ...id, hasAnyWord: id.equalsAny }
  }

  /** Stored as hundredths. */
  hours(stored: Sql): ComparedValue {
    return number(this.dialect, this.sentAs, stored, 100)
  }

  yesOrNo(stored: Sql): ComparedValue {
    return yesOrNo(this.dialect, this.sentAs, stored)
  }

  time(stored: Sql): ComparedValue {
    return moment(this.dialect, this.sentAs, stored, this.context.now, 'time')
  }

  /** A time that can also be compared with the bug's last change, as `%last_changed%`. */
  timeOrLastChange(stored: Sql): ComparedValue {
    const time = this.time(stored)
    const isMeant = (input: string) => /^\s*%last_changed%\s*$/i.test(input)
    return {
      ...time,
      equals: (input) => (isMeant(input) ? sql`${stored} = bugs.changed_at` : time.equals(input)),
      compares: (sign, input) =>
        isMeant(input) ? compared(stored, sign, sql`bugs.changed_at`) : time.compares(sign, input),
    }
  }

  date(stored: Sql): ComparedValue {
    return moment(this.dialect, this.sentAs, stored, this.context.now, 'date')
  }

  /** A user, searched by login name, or by the part of it that anonymous callers see. */
  person(id: Sql): Reference {
    const { beforeAt } = textFunctions(this.dialect)
    const name = seesAddresses(this.context)
      ? this.text(sql`users.login`, sql`users.login_key`)
      : this.text(beforeAt(sql`users.login`), beforeAt(sql`users.login_key`))
    return { id, to: { table: 'users', among: always, name, sort: [name.sort], areMany: true }, isPerson: true }
  }

  realNameOf(id: Sql): Reference {
    const name = this.text(sql`users.real_name`, sql`users.real_name_key`)
    return { id, to: { table: 'users', among: always, name, sort: [name.sort], areMany: true } }
  }

  /** An object of the catalogue. */
  named(table: NamedTable, id: Sql, ...sortFirst: SortBy[]): Reference {
    const name = this.text(sql.ref(`${table}.name`), sql.ref(`${table}.name_key`))
    const to = { table, among: always, name, sort: [...sortFirst, name.sort] }
    return { id, to: table === 'groups' ? to : { ...to, keptAs: table } }
  }

  /** One of the values of a select field. */
  chosen(id: Sql, fieldId = this.context.fields.named(this.name)?.id ?? 0): Reference {
    const name = this.text(sql`field_values.name`, sql`field_values.name_key`)
    const among = sql<boolean>`field_values.field_id = ${fieldId}`
    const sort = [bySortKey('field_values'), name.sort]
    return { id, to: { table: 'field_values', among, name, sort, keptAs: `field_values ${fieldId}` } }
  }
}

export type NamedTable =
  | 'classifications'
  | 'products'
  | 'components'
  | 'versions'
  | 'milestones'
  | 'keywords'
  | 'groups'

export function bySortKey(table: string): SortBy {
  return { by: sql.ref(`${table}.sort_key`), empty: 0 }
}
