import { sql } from 'kysely'
import { bugsUnfiltered } from '../../../access/visibility/visible-bugs.ts'
import type { Db } from '../../../platform/database/db.ts'
import type { Builder } from '../../../platform/database/statements/builder.ts'
import { type Placeholders, statement } from '../../../platform/database/statements/statement.ts'
import type { Dialect } from '../../../platform/dialects/dialect.ts'

/** The folded names of the product, the component and the keywords that a change took from a bug; empty where nothing changed. */
export interface LeftPlaces {
  product: string
  component: string
  keywords: readonly string[]
}

/** A component, a product or a keyword that has watchers, and that a bug has or has just left. */
export interface Place {
  component_id: number | null
  product_id: number | null
  keyword_id: number | null
}

/** What is followed about a bug: its places, and how many users follow them, the bug or its people. It is counted only up to a number for each. */
export interface Followed {
  places: Place[]
  followers: number
}

interface FollowedQuery {
  key: number
  bugId: number
  left: LeftPlaces
  /** The users with a role in it. */
  personIds: readonly number[]
}

/** By key. Without an entry, nothing is followed. */
export async function listFollowed(
  db: Db,
  subjects: readonly FollowedQuery[],
  mostCounted: number,
): Promise<Map<number, Followed>> {
  if (subjects.length === 0) return new Map()
  const rows = await db.all(followed, {
    subjects: JSON.stringify(subjects.map(({ key, bugId }) => ({ key, bug_id: bugId }))),
    left: JSON.stringify(subjects.flatMap(leftRows)),
    people: JSON.stringify(
      subjects.flatMap(({ key, bugId, personIds }) => personIds.map((user_id) => ({ key, bug_id: bugId, user_id }))),
    ),
    mostCounted,
  })
  return new Map(
    [...Map.groupBy(rows, ({ key }) => key)].map(([key, own]) => [
      key,
      {
        places: own.flatMap(({ component_id, product_id, keyword_id }) =>
          component_id === null && product_id === null && keyword_id === null
            ? []
            : [{ component_id, product_id, keyword_id }],
        ),
        followers: own.reduce((sum, row) => sum + Number(row.followers), 0),
      },
    ]),
  )
}

interface LeftRow {
  key: number
  bug_id: number
  product_key: string
  component_key: string
  keyword_key: string
}

function leftRows({ key, bugId, left }: FollowedQuery): LeftRow[] {
  const none = { key, bug_id: bugId, product_key: '', component_key: '', keyword_key: '' }
  const isMoved = left.product !== '' || left.component !== ''
  return [
    ...(isMoved ? [{ ...none, product_key: left.product, component_key: left.component }] : []),
    ...left.keywords.map((keyword_key) => ({ ...none, keyword_key })),
  ]
}

interface Params {
  subjects: string
  left: string
  people: string
  mostCounted: number
}

interface FollowedRow extends Place {
  key: number
  followers: number
}

const IDS = { key: 'integer', bug_id: 'integer' } as const
const LEFT = { ...IDS, product_key: 'text', component_key: 'text', keyword_key: 'text' } as const
const WHY = 'It finds what is watched about bugs; what each watcher may see of them is checked before mail is sent.'

const followed = statement<Params>()((q, p, d) => {
  const upTo = (rows: ReturnType<typeof sql>) =>
    sql<number>`(select count(*) from (select 1 as one from ${rows} limit ${p.mostCounted}) as counted)`
  const of = (column: keyof Place | undefined, id: string, rows: ReturnType<typeof sql>) => [
    ...(['component_id', 'product_id', 'keyword_id'] as const).map((name) =>
      sql<number | null>`${name === column ? sql.ref(id) : sql`cast(null as integer)`}`.as(name),
    ),
    upTo(rows).as('followers'),
  ]
  const componentOf = (id: string) => of('component_id', id, sql`watches where watches.component_id = ${sql.ref(id)}`)
  const productOf = (id: string) => of('product_id', id, sql`watches where watches.product_id = ${sql.ref(id)}`)
  const keywordOf = (id: string) => of('keyword_id', id, sql`watches where watches.keyword_id = ${sql.ref(id)}`)
  const [present, left] = [presentIn(q, p, d), leftIn(q, p, d)]
  const all = present()
    .select(componentOf('components.id'))
    .unionAll(present().select(productOf('components.product_id')))
    .unionAll(
      present()
        .innerJoin('bug_keywords', 'bug_keywords.bug_id', 'bugs.id')
        .select(keywordOf('bug_keywords.keyword_id')),
    )
    .unionAll(left().select(componentOf('old.id')))
    .unionAll(left().select(productOf('old.product_id')))
    .unionAll(
      q
        .selectFrom(d.recordsIn(p.left, LEFT).$castTo<LeftRow>().as('gone'))
        .innerJoin('keywords', 'keywords.name_key', 'gone.keyword_key')
        .select('gone.key')
        .select(keywordOf('keywords.id')),
    )
    .unionAll(
      q
        .selectFrom(d.recordsIn(p.subjects, IDS).$castTo<Pick<LeftRow, 'key' | 'bug_id'>>().as('voted'))
        .select('voted.key')
        .select(of(undefined, '', sql`bug_votes where bug_votes.bug_id = voted.bug_id`)),
    )
    .unionAll(
      q
        .selectFrom(
          d
            .recordsIn(p.people, { ...IDS, user_id: 'integer' })
            .$castTo<{ key: number; user_id: number }>()
            .as('people'),
        )
        .select('people.key')
        .select(of(undefined, '', sql`watched_users where watched_users.watched_id = people.user_id`)),
    )
  return q
    .selectFrom(all.$castTo<FollowedRow>().as('followed'))
    .select(['key', 'component_id', 'product_id', 'keyword_id', 'followers'])
    .where('followers', '>', 0)
})

function presentIn(q: Builder, p: Placeholders<Params>, d: Dialect) {
  return () =>
    bugsUnfiltered(q, WHY)
      .innerJoin(
        d.recordsIn(p.subjects, IDS).$castTo<Pick<LeftRow, 'key' | 'bug_id'>>().as('subjects'),
        'subjects.bug_id',
        'bugs.id',
      )
      .innerJoin('components', 'components.id', 'bugs.component_id')
      .select('subjects.key')
}

/** A change of one of product and component does not name the other, which is still that of the bug. */
function leftIn(q: Builder, p: Placeholders<Params>, d: Dialect) {
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
      .select('gone.key')
      .where('gone.keyword_key', '=', sql.lit(''))
}
