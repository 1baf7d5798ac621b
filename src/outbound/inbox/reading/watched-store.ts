import { sql } from 'kysely'
import { numberOfReason } from '../../../../shared/reasons.ts'
import type { InsiderParams } from '../../../access/visibility/reader-rights.ts'
import { bugsVisibleTo, keyOfRules, type VisibilityRules } from '../../../access/visibility/visible-bugs.ts'
import type { Db } from '../../../platform/database/db.ts'
import { statement } from '../../../platform/database/statements/statement.ts'
import { statementFamily } from '../../../platform/database/statements/statement-family.ts'

const watchesOf = statement<{ userId: number }>()((q, p) =>
  q.selectFrom('watches').select(['product_id', 'component_id', 'keyword_id']).where('user_id', '=', p.userId),
)

/** What the user watches, by id, as JSON. */
interface Watched {
  watchesAll: boolean
  products: string
  components: string
  keywords: string
}

/** Undefined if the user watches nothing, so that no bugs need to be looked for. */
export async function findWatched(db: Db, userId: number, watchesAll: boolean): Promise<Watched | undefined> {
  const rows = await db.all(watchesOf, { userId })
  if (rows.length === 0 && !watchesAll) return undefined
  return {
    watchesAll,
    products: JSON.stringify(rows.flatMap(({ product_id }) => product_id ?? [])),
    components: JSON.stringify(rows.flatMap(({ component_id }) => component_id ?? [])),
    keywords: JSON.stringify(rows.flatMap(({ keyword_id }) => keyword_id ?? [])),
  }
}

type Params = InsiderParams & Omit<Watched, 'watchesAll'> & { since: string; most: number }

interface Shape {
  rules: VisibilityRules
  watchesAll: boolean
}

const bit = (name: Parameters<typeof numberOfReason>[0]) => sql.lit(1 << numberOfReason(name))

const keyOfShape = ({ rules, watchesAll }: Shape) => `${keyOfRules(rules)} ${watchesAll}`

const watchedBugs = statementFamily(keyOfShape, ({ rules, watchesAll }) =>
  statement<Params>()((q, p, d) => {
    const products = sql`bugs.product_id in ${d.integersIn(p.products)}`
    const components = sql`bugs.component_id in ${d.integersIn(p.components)}`
    const keywords = sql`exists (select 1 from bug_keywords where bug_keywords.bug_id = bugs.id
      and bug_keywords.keyword_id in ${d.integersIn(p.keywords)})`
    return bugsVisibleTo(q, d, rules, p)
      .select(['bugs.id as bug_id', 'bugs.changed_at'])
      .select(
        sql<number>`case when ${components} then ${bit('watched_component')} else 0 end
          + case when ${products} then ${bit('watched_product')} else 0 end
          + case when ${keywords} then ${bit('watched_keyword')} else 0 end
          + ${watchesAll ? bit('global_watcher') : sql.lit(0)}`.as('reasons'),
      )
      .where('bugs.changed_at', '>=', p.since)
      .$if(!watchesAll, (bugs) => bugs.where(sql<boolean>`(${components} or ${products} or ${keywords})`))
      .where(
        sql<boolean>`not exists (select 1 from ignored_bugs where ignored_bugs.bug_id = bugs.id and ignored_bugs.user_id = ${p.viewerId})`,
      )
      .orderBy('bugs.changed_at', 'desc')
      .orderBy('bugs.id', 'desc')
      .limit(p.most)
  }),
)

/** The bugs in what the reader watches that were changed since that time, newest first. */
export function listWatchedBugs(
  db: Db,
  rules: VisibilityRules,
  reader: InsiderParams,
  { watchesAll, ...watched }: Watched,
  range: { since: string; most: number },
) {
  return db.all(watchedBugs({ rules, watchesAll }), { ...reader, ...watched, ...range })
}
