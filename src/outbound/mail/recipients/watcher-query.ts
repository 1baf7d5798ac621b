import { sql } from 'kysely'
import { numberOfReason, type ReasonName } from '../../../../shared/reasons.ts'
import { bugsUnfiltered } from '../../../access/visibility/visible-bugs.ts'
import type { Builder } from '../../../platform/database/statements/builder.ts'
import type { Placeholders } from '../../../platform/database/statements/statement.ts'
import type { Flag } from '../../../platform/database/tables.ts'
import type { Dialect } from '../../../platform/dialects/dialect.ts'

/** The folded names of the product, the component and the keywords that a change took from a bug; empty where nothing changed. */
export interface LeftPlaces {
  product: string
  component: string
  keywords: readonly string[]
}

interface LeftRow {
  key: number
  bug_id: number
  product_key: string
  component_key: string
  keyword_key: string
}

export function leftRows({ key, bugId, left }: { key: number; bugId: number; left: LeftPlaces }): LeftRow[] {
  const none = { key, bug_id: bugId, product_key: '', component_key: '', keyword_key: '' }
  const isMoved = left.product !== '' || left.component !== ''
  return [
    ...(isMoved ? [{ ...none, product_key: left.product, component_key: left.component }] : []),
    ...left.keywords.map((keyword_key) => ({ ...none, keyword_key })),
  ]
}

export interface WatcherParams {
  subjects: string
  left: string
  /** Only watches of this user are of interest; 0 for those of all. */
  watcher: number
  withWatchers: Flag
}

const WHY = 'It finds who watches; what each of them may see of the bug is checked before mail is sent.'

/** The users who watch what the bugs are in now, or what they have just left. */
export function watchersOf<Params extends WatcherParams>(q: Builder, p: Placeholders<Params>, d: Dialect) {
  const [present, left] = [presentIn(q, p, d), leftIn(q, p, d)]
  return present()
    .innerJoin('watches', 'watches.component_id', 'components.id')
    .select(['watches.user_id', as('watched_component')])
    .where(isRequested(p))
    .unionAll(
      present()
        .innerJoin('watches', 'watches.product_id', 'components.product_id')
        .select(['watches.user_id', as('watched_product')])
        .where(isRequested(p)),
    )
    .unionAll(
      present()
        .innerJoin('bug_keywords', 'bug_keywords.bug_id', 'bugs.id')
        .innerJoin('watches', 'watches.keyword_id', 'bug_keywords.keyword_id')
        .select(['watches.user_id', as('watched_keyword')])
        .where(isRequested(p)),
    )
    .unionAll(
      left()
        .innerJoin('watches', 'watches.component_id', 'old.id')
        .select(['watches.user_id', as('watched_component')])
        .where(isRequested(p)),
    )
    .unionAll(
      left()
        .innerJoin('watches', 'watches.product_id', 'old.product_id')
        .select(['watches.user_id', as('watched_product')])
        .where(isRequested(p)),
    )
    .unionAll(
      q
        .selectFrom(d.recordsIn(p.left, LEFT).$castTo<LeftRow>().as('gone'))
        .innerJoin('keywords', 'keywords.name_key', 'gone.keyword_key')
        .innerJoin('watches', 'watches.keyword_id', 'keywords.id')
        .select(['gone.key', 'gone.bug_id', 'watches.user_id', as('watched_keyword')])
        .where(isRequested(p)),
    )
}

const IDS = { key: 'integer', bug_id: 'integer' } as const
const LEFT = { ...IDS, product_key: 'text', component_key: 'text', keyword_key: 'text' } as const

function as(reason: ReasonName) {
  return sql<number>`${sql.lit(numberOfReason(reason))}`.as('reason')
}

function isRequested(p: Placeholders<WatcherParams>) {
  return sql<boolean>`(${p.withWatchers} = 1 and (${p.watcher} = 0 or watches.user_id = ${p.watcher}))`
}

function presentIn(q: Builder, p: Placeholders<WatcherParams>, d: Dialect) {
  return () =>
    bugsUnfiltered(q, WHY)
      .innerJoin(
        d.recordsIn(p.subjects, IDS).$castTo<Pick<LeftRow, 'key' | 'bug_id'>>().as('subjects'),
        'subjects.bug_id',
        'bugs.id',
      )
      .innerJoin('components', 'components.id', 'bugs.component_id')
      .select(['subjects.key', 'subjects.bug_id'])
}

/** A change of one of product and component does not name the other, which is still that of the bug. */
function leftIn(q: Builder, p: Placeholders<WatcherParams>, d: Dialect) {
  return () =>
    bugsUnfiltered(q, WHY)
      .innerJoin(d.recordsIn(p.left, LEFT).$castTo<LeftRow>().as('gone'), 'gone.bug_id', 'bugs.id')
      .innerJoin('components as now', 'now.id', 'bugs.component_id')
      .innerJoin('products', (join) =>
        join.on(
          sql<boolean>`products.name_key = gone.product_key or (gone.product_key = '' and products.id = now.product_id)`,
        ),
      )
      .innerJoin('components as old', (join) =>
        join
          .onRef('old.product_id', '=', 'products.id')
          .on(
            sql<boolean>`old.name_key = case when gone.component_key = '' then now.name_key else gone.component_key end`,
          ),
      )
      .select(['gone.key', 'gone.bug_id'])
      .where('gone.keyword_key', '=', sql.lit(''))
}
