import { sql } from 'kysely'
import { MAIL_QUEUE } from '../../../access/account-notice.ts'
import type { Db } from '../../../platform/database/db.ts'
import { statement } from '../../../platform/database/statements/statement.ts'
import type { Place } from '../recipients/followed-places.ts'

interface FollowerQuery {
  places: readonly Place[]
  bugId: number
  /** The users with a role in the bug. */
  personIds: readonly number[]
  after: number
  except: readonly number[]
  most: number
}

const PLACE = { component_id: 'integer', product_id: 'integer', keyword_id: 'integer' } as const

type Params = Omit<FollowerQuery, 'places' | 'personIds' | 'except'> & Record<'places' | 'personIds' | 'except', string>

const followers = statement<Params>()((q, p, d) => {
  const by = (column: keyof Place) =>
    q
      .selectFrom(d.recordsIn(p.places, PLACE).$castTo<Place>().as('places'))
      .innerJoin('watches', (join) => join.onRef(`watches.${column}`, '=', `places.${column}`))
      .select('watches.user_id')
  const all = by('component_id')
    .union(by('product_id'))
    .union(by('keyword_id'))
    .union(q.selectFrom('bug_votes').select('user_id').where('bug_id', '=', p.bugId))
    .union(
      q
        .selectFrom('watched_users')
        .select('watcher_id as user_id')
        .where('watched_id', 'in', d.integersIn(p.personIds)),
    )
    .union(q.selectFrom('users').select('id as user_id').where('id', 'in', d.integersIn(p.personIds)))
  return q
    .selectFrom(all.as('followers'))
    .innerJoin('users', 'users.id', 'followers.user_id')
    .select('users.id')
    .where('users.id', '>', p.after)
    .where('users.id', 'not in', d.integersIn(p.except))
    .where('users.email_enabled', '=', sql.lit(1))
    .orderBy('users.id')
    .limit(p.most)
})

/** The next users, by id, who follow the bug, its people or its places, and who may get mail. */
export async function listFollowers(db: Db, query: FollowerQuery): Promise<number[]> {
  const json = (ids: readonly number[]) => JSON.stringify(ids)
  const { places, personIds, except, ...rest } = query
  const rows = await db.all(followers, {
    ...rest,
    places: JSON.stringify(places),
    personIds: json(personIds),
    except: json(except),
  })
  return rows.map(({ id }) => id)
}

const withLogins = statement<{ keys: string }>()((q, p, d) =>
  q.selectFrom('users').select('id').where('login_key', 'in', d.textsIn(p.keys)),
)

/** The users with these folded logins. */
export async function listIdsOf(db: Db, loginKeys: readonly string[]): Promise<number[]> {
  if (loginKeys.length === 0) return []
  return (await db.all(withLogins, { keys: JSON.stringify(loginKeys) })).map(({ id }) => id)
}

/** Messages that wait until their recipient wants them do not count. */
const SOON_SECONDS = 60

const due = statement<{ most: number }>()((q, p, d) =>
  q
    .selectFrom(
      q
        .selectFrom('lanes')
        .innerJoin('jobs', (join) =>
          join
            .onRef('jobs.queue', '=', 'lanes.queue')
            .onRef('jobs.lane', '=', 'lanes.lane')
            .on('jobs.died_at', 'is', null),
        )
        .select('jobs.id')
        .where('lanes.queue', '=', sql.lit(MAIL_QUEUE))
        .where('lanes.due_at', '<=', d.secondsFromNow(SOON_SECONDS))
        .limit(p.most)
        .as('due'),
    )
    .select((row) => row.fn.countAll<number>().as('count')),
)

/** How many messages are about to be sent, counted up to a number. */
export async function countDueMail(db: Db, most: number): Promise<number> {
  return Number((await db.first(due, { most }))?.count ?? 0)
}
