import assert from 'node:assert/strict'
import { addComment, type CommentToAdd } from '../../src/bugs/comments/add-comment.ts'
import { timeNow } from '../../src/platform/time/clock.ts'
import type { Query } from './body-types.ts'
import { insertBug } from './bug-rows.ts'
import { cast, type Name } from './cast.ts'
import type { Client, World } from './world.ts'

/** A bug without comments, visible only to members of these groups. */
export function silentBug(world: World, ...groups: string[]): Promise<number> {
  return insertBug(world, { product: 'TestProduct', component: 'TestComponent', assigned_to: cast.ada.login, groups })
}

/** Adds a comment through the REST API. Returns its id. */
export async function say(who: Client, bug: number, comment: string, more: object = {}): Promise<number> {
  const { status, body, text } = await who.post(`/rest/bug/${bug}/comment`, { comment, ...more })
  assert.equal(status, 201, text)
  return body.id
}

/** The comments of a bug that this user can read. */
export async function readComments(who: Client, bug: number | string, query: Query = '') {
  const { status, body, text } = await who.get(`/rest/bug/${bug}/comment${query}`)
  assert.equal(status, 200, text)
  const [only] = Object.values(body.bugs)
  assert.ok(only)
  return only.comments
}

/** Inserts a comment of a kind that only the tracker writes. */
export async function tell(world: World, comment: Partial<CommentToAdd> & { bugId: number }): Promise<number> {
  const userId = await idOf(world, 'edna')
  const usual = { userId, at: timeNow(), text: '', isPrivate: false }
  return world.db.transaction((tx) => addComment(tx, { ...usual, ...comment }), 'configuration')
}

/** Inserts an attachment into the database directly, without the call. Returns its id. */
export async function insertAttachment(
  world: World,
  bug: number,
  more: { summary?: string; is_private?: 0 | 1; is_obsolete?: 0 | 1 } = {},
): Promise<number> {
  const at = timeNow()
  const [row] = await world.db.query((q) =>
    q
      .insertInto('attachments')
      .values({
        bug_id: bug,
        user_id: 1,
        created_at: at,
        changed_at: at,
        file_name: 'log.txt',
        summary: 'A log',
        content_type: 'text/plain',
        is_private: 0,
        is_obsolete: 0,
        is_patch: 0,
        size: 3,
        content_digest: 'x',
        ...more,
      })
      .returning('id'),
  )
  return row?.id as number
}

export async function idOf(world: World, name: Name): Promise<number> {
  const [row] = await world.db.query((q) => q.selectFrom('users').select('id').where('login', '=', cast[name].login))
  return row?.id as number
}

/** Runs `work` while insidergroup is security. */
export function withInsiders<Result>(world: World, work: () => Promise<Result>): Promise<Result> {
  return world.withParameters({ insidergroup: 'security' }, work)
}
