import { fieldNameOf } from '../../../shared/bug-fields/field-names.ts'
import { FIELD_TYPE, isProductSpecific } from '../../catalogue/fields/field.ts'
import { errors } from '../../platform/errors.ts'
import { dictionary } from '../../platform/text/dictionary.ts'
import { OPPOSITES } from '../conditions/operators.ts'
import type { SearchContext } from '../search-context.ts'
import { requireFewBrackets } from '../search-limits.ts'
import { type Criterion, isOperatorName, type OperatorName, type Query } from './query.ts'
import type { SearchParams } from './search-params.ts'

/** The operator of that name. Some operators have several names. */
export function operatorIn(name: string): OperatorName {
  const known = Object.hasOwn(OTHER_NAMES, name) ? (OTHER_NAMES[name] as OperatorName) : name
  if (!isOperatorName(known)) throw errors.no_such_operator({ name })
  return known
}

const OTHER_NAMES: Readonly<Record<string, OperatorName>> = dictionary({
  substr: 'substring',
  notsubstr: 'notsubstring',
  exact: 'equals',
  notexact: 'notequals',
})

const NEED_NO_VALUE: ReadonlySet<OperatorName> = new Set<OperatorName>(['isempty', 'isnotempty', 'everchanged'])

/** A criterion; undefined where the form was not filled in. Several values stay a list if values of the field may contain a comma. */
export function criterionOf(
  { fields }: SearchContext,
  field: string,
  operator: string,
  values: readonly string[],
  sentAs: string,
): Criterion | undefined {
  if (field === '' || operator === '' || field === 'noop' || operator === 'noop') return undefined
  const name = knownName(field)
  const known = operatorIn(operator)
  const filled = values.filter((value) => value !== '')
  const [only = '', ...more] = filled
  if (only === '' && !NEED_NO_VALUE.has(known)) return undefined
  const type = fields.named(name)?.type
  const isSelect = type === FIELD_TYPE.singleSelect || type === FIELD_TYPE.multiSelect || isProductSpecific(name)
  const value = more.length === 0 ? only : isSelect ? filled : filled.join(',')
  return { field: name, operator: known, value, sentAs }
}

/** Bugzilla's name of a field, found by any of its names, also by older ones. */
export function knownName(name: string): string {
  return Object.hasOwn(OLDER_NAMES, name) ? (OLDER_NAMES[name] as string) : fieldNameOf(name)
}

const OLDER_NAMES: Readonly<Record<string, string>> = dictionary({
  changedin: 'days_elapsed',
  long_desc: 'longdesc',
  'attachments.thedata': 'attach_data.thedata',
})

/** The rows of the search form: `f1`, `o1` and `v1`, with `OP` and `CP` as brackets. `n1` negates, and `j1` joins the rows of a bracket. */
export function parseCharts(context: SearchContext, params: SearchParams): Query[] {
  const top = new Bracket(params.takeOne('j_top'), false)
  const open = [top]
  for (const number of rowsIn(params)) {
    const [field, operator, joiner] = ['f', 'o', 'j'].map((name) => params.takeOne(`${name}${number}`)) as Row
    const values = params.take(`v${number}`)
    const isDenied = params.takeOne(`n${number}`) === '1'
    const inner = open.at(-1) as Bracket
    if (field === 'OP') {
      requireFewBrackets(open.length)
      open.push(inner.bracket(joiner, isDenied))
    } else if (field === 'CP') {
      if (open.length === 1) throw errors.bracket_not_open({ name: `f${number}` })
      open.pop()
    } else inner.add(criterionOf(context, field, operator, values, `v${number}`), isDenied)
  }
  return top.isEmpty ? [] : [top.query()]
}

type Row = [field: string, operator: string, joiner: string]

function rowsIn(params: SearchParams): string[] {
  const rows = new Set(params.names.flatMap((name) => /^[fovnj](\d{1,9})$/.exec(name)?.[1] ?? []))
  return [...rows].sort((a, b) => Number(a) - Number(b))
}

/** Rows between brackets. A bracket that is not closed ends with the form. */
class Bracket {
  private readonly joiner: 'AND' | 'OR' | 'AND_G'
  private readonly isDenied: boolean
  private readonly parts: (Bracket | { criterion: Criterion; isDenied: boolean })[] = []

  constructor(joiner: string, isDenied: boolean) {
    this.joiner = joiner === 'OR' || joiner === 'AND_G' ? joiner : 'AND'
    this.isDenied = isDenied
  }

  bracket(joiner: string, isDenied: boolean): Bracket {
    const inner = new Bracket(joiner, isDenied)
    this.parts.push(inner)
    return inner
  }

  add(criterion: Criterion | undefined, isDenied: boolean) {
    if (criterion !== undefined) this.parts.push({ criterion, isDenied })
  }

  /** Empty brackets have no effect. */
  get isEmpty(): boolean {
    return this.parts.every((part) => part instanceof Bracket && part.isEmpty)
  }

  query(): Query {
    const joined = this.joiner === 'AND_G' ? this.ofSameItem() : this.ofParts()
    return this.isDenied ? { not: joined } : joined
  }

  private ofParts(): Query {
    const parts = this.parts.flatMap((part): Query[] => {
      if (part instanceof Bracket) return part.isEmpty ? [] : [part.query()]
      return [part.isDenied ? { not: part.criterion } : part.criterion]
    })
    const [only, ...more] = parts
    if (only !== undefined && more.length === 0) return only
    return this.joiner === 'OR' ? { any: parts } : { all: parts }
  }

  private ofSameItem(): Query {
    const criteria = this.parts.map((part) => {
      if (part instanceof Bracket) throw errors.and_g_joins_brackets()
      return part.isDenied ? denied(part.criterion) : part.criterion
    })
    const fields = new Set(criteria.map(({ field }) => field))
    if (fields.size > 1 && !fields.isSubsetOf(FLAG_FIELDS)) throw errors.and_g_joins_several_fields()
    for (const { field, operator } of criteria) requireItems(field, operator)
    return { sameItem: criteria }
  }
}

/** Fields of one flag: who asks whom for what. */
const FLAG_FIELDS: ReadonlySet<string> = new Set(['flagtypes.name', 'setters.login_name', 'requestees.login_name'])

/** Fields that AND_G cannot join, because a bug has one value. Changes of them can be joined. */
const NO_ITEMS: ReadonlySet<string> = new Set([
  'attach_data.thedata',
  'classification',
  'commenter',
  'component',
  'longdescs.count',
  'product',
  'owner_idle_time',
])

function requireItems(field: string, operator: OperatorName) {
  if (NO_ITEMS.has(field) && !operator.startsWith('changed')) throw errors.and_g_criterion_wrong({ criterion: field })
}

/** The criterion that holds for an item exactly if the other does not. */
function denied({ operator, ...rest }: Criterion): Criterion {
  const opposite = OPPOSITES[operator] ?? Object.entries(OPPOSITES).find(([, other]) => other === operator)?.[0]
  if (opposite === undefined || !isOperatorName(opposite)) throw errors.and_g_operator_wrong({ operator })
  return { ...rest, operator: opposite }
}

const OLD_CELL = /^(?:field|type|value)(\d{1,6})-(\d{1,6})-(\d{1,6})$/

/** The rows as older clients send them: `field0-0-0` and so on. All charts and rows must hold, and of each row at least one column. */
export function parseOldCharts(context: SearchContext, params: SearchParams): Query[] {
  const cells = new Map<string, [chart: string, row: string]>()
  for (const name of params.names) {
    const [, chart, row, column] = OLD_CELL.exec(name) ?? []
    if (chart !== undefined && row !== undefined) cells.set(`${chart}-${row}-${column}`, [chart, row])
  }
  const negated = params.names.filter((name) => /^negate\d{1,6}$/.test(name) && params.takeOne(name) === '1')
  const charts = Map.groupBy([...cells], ([, [chart]]) => chart)
  return [...charts].flatMap(([chart, inChart]): Query[] => {
    const rows = [...Map.groupBy(inChart, ([, [, row]]) => row).values()].flatMap((inRow): Query[] => {
      const any = inRow.flatMap(([cell]) => oldCell(context, params, cell) ?? [])
      return any.length === 0 ? [] : [any.length === 1 && any[0] !== undefined ? any[0] : { any }]
    })
    if (rows.length === 0) return []
    const all: Query = rows.length === 1 && rows[0] !== undefined ? rows[0] : { all: rows }
    return [negated.includes(`negate${chart}`) ? { not: all } : all]
  })
}

function oldCell(context: SearchContext, params: SearchParams, cell: string) {
  const [field, operator] = [params.takeOne(`field${cell}`), params.takeOne(`type${cell}`)]
  return criterionOf(context, field, operator, params.take(`value${cell}`), `value${cell}`)
}
