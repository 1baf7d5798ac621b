import { sql } from 'kysely'
import { seesAddresses } from '../access/visibility/reader.ts'
import { textFunctions } from '../platform/dialects/text-functions.ts'
import { type ComparedValue, compared, moment, number, type SortBy, text, yesOrNo } from './conditions/compared.ts'
import { always, type Condition, type Sql } from './conditions/condition.ts'
import type { Items } from './conditions/search-items.ts'
import type { SearchContext } from './search-context.ts'
import { containsText } from './text/contains-text.ts'

/** How a field is searched in: what it is of (the bug itself, or each of some items that a bug has), and what its value is. */
export interface SearchableField {
  readonly items?: Items
  readonly value: Value
}

export type Value = ComparedValue | Reference

/** A row of another table, known by its id and looked for by its name. */
export interface Reference {
  readonly id: Sql
  readonly to: Target
  /** There may be none, which is the same as one without a name. */
  readonly isOptional?: boolean
  /** It is somebody, so that pronouns can be used. */
  readonly isPerson?: boolean
  /** Whether the id is in a list, where that is more than `id in (…)`. `has` tells of one id whether the list may have it. */
  readonly isIn?: (list: Sql, has: (id: number) => boolean) => Condition
}

/** What a reference leads to. */
export interface Target {
  readonly table: string
  readonly among: Condition
  readonly name: ComparedValue
  readonly sort: readonly SortBy[]
  /** There can be a hundred thousand of them. */
  readonly areMany?: boolean
}

export function isReference(value: Value): value is Reference {
  return 'to' in value
}

/** What the dictionary of fields is written with: each kind of value, for the field and the scene at hand. */
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

  /** Text, and the form of it that is compared, where that is stored. */
  text(written: Sql, folded?: Sql): ComparedValue {
    return text(this.dialect, written, folded)
  }

  /** Text of a bug with an index of its parts. */
  indexedText(column: 'summary' | 'whiteboard'): ComparedValue {
    const compared = this.text(sql.ref(`bugs.${column}`), sql.ref(`bugs.${column}_key`))
    return { ...compared, contains: (input) => containsText(this.dialect, column, input, this.context.texts) }
  }

  number(stored: Sql): ComparedValue {
    return number(this.dialect, this.sentAs, stored)
  }

  /** A number that is only digits, and so one word. */
  bugId(stored: Sql): ComparedValue {
    const id = this.number(stored)
    return { ...id, hasAnyWord: id.equalsAny }
  }

  /** Kept as hundredths. */
  hours(stored: Sql): ComparedValue {
    return number(this.dialect, this.sentAs, stored, 100)
  }

  yesOrNo(stored: Sql): ComparedValue {
    return yesOrNo(this.dialect, this.sentAs, stored)
  }

  time(stored: Sql): ComparedValue {
    return moment(this.dialect, this.sentAs, stored, this.context.now, 'time')
  }

  /** A time that can be compared with that of the bug's last change as well, which `%last_changed%` stands for. */
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

  /** Whoever the id means, by login name, or by as much of it as strangers are shown. */
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

  /** A thing of the catalogue. */
  named(table: NamedTable, id: Sql, ...sortFirst: SortBy[]): Reference {
    const name = this.text(sql.ref(`${table}.name`), sql.ref(`${table}.name_key`))
    return { id, to: { table, among: always, name, sort: [...sortFirst, name.sort] } }
  }

  /** One of the values that the field offers. */
  chosen(id: Sql, fieldId = this.context.fields.named(this.name)?.id ?? 0): Reference {
    const name = this.text(sql`field_values.name`, sql`field_values.name_key`)
    const among = sql<boolean>`field_values.field_id = ${fieldId}`
    return { id, to: { table: 'field_values', among, name, sort: [bySortKey('field_values'), name.sort] } }
  }
}

type NamedTable = 'classifications' | 'products' | 'components' | 'versions' | 'milestones' | 'keywords' | 'groups'

export function bySortKey(table: string): SortBy {
  return { by: sql.ref(`${table}.sort_key`), empty: 0 }
}
