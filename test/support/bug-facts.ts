import assert from 'node:assert/strict'
import { readAttachment } from './attach.ts'
import type { BodyAt } from './body-types.ts'
import type { Client, World } from './world.ts'

type Bug = BodyAt<'GET', '/rest/bug/1'>['bugs'][number]

/** All that a user can read about a bug. Only this may decide whether their search finds it. */
export interface Facts {
  readonly bug: Bug
  readonly comments: readonly CommentFact[]
  readonly attachments: readonly AttachmentFact[]
  readonly flags: readonly Bug['flags'][number][]
  readonly changes: readonly ChangeFact[]
  readonly lastVisit: string | null
}

export interface CommentFact {
  readonly id: number
  /** The text that a user wrote, without the sentence that the tracker adds. */
  readonly text: string
  readonly creator: string
  readonly time: string
  readonly is_private: boolean
  readonly tags: readonly string[]
}

export interface AttachmentFact {
  readonly id: number
  readonly summary: string
  readonly file_name: string
  readonly content_type: string
  readonly is_patch: boolean
  readonly is_obsolete: boolean
  readonly is_private: boolean
  readonly creator: string
  readonly content: string
}

export interface ChangeFact {
  readonly id: string
  readonly at: string
  readonly who: string
  readonly field: string
  readonly removed: string
  readonly added: string
}

/** Reads the bugs that this user sees, through the calls. */
export async function readFacts(world: World, reader: Client, ids: readonly number[]): Promise<Facts[]> {
  const fields = '_all,tags,comments,history,attachments'
  const others = ids.slice(1).map((id) => `&ids=${id}`)
  const { status, body, text } = await reader.get(
    `/rest/bug/${ids[0]}?permissive=1&include_fields=${fields}${others.join('')}`,
  )
  assert.equal(status, 200, text)
  const written = await textsOfComments(world)
  const visits = reader === world.nobody ? [] : await visitsOf(reader, ids)
  return Promise.all(
    body.bugs.map(async (bug): Promise<Facts> => {
      const attachments = await Promise.all(bug.attachments.map((it) => withContent(reader, it)))
      return {
        bug,
        comments: bug.comments.map((it) => ({ ...it, text: written.get(it.id) ?? '' })),
        attachments,
        flags: [...bug.flags, ...attachments.flatMap((it) => it.flags)],
        changes: bug.history.flatMap((entry, place) =>
          entry.changes.map((it, index) => ({
            id: `${place} ${index}`,
            at: entry.when,
            who: entry.who,
            field: it.field_name,
            removed: it.removed,
            added: it.added,
          })),
        ),
        lastVisit: visits.find((visit) => visit.id === bug.id)?.last_visit_ts ?? null,
      }
    }),
  )
}

/** Only the texts of comments are read from the database, because responses contain sentences of the tracker. */
async function textsOfComments({ db }: World): Promise<Map<number, string>> {
  const rows = await db.query((q) => q.selectFrom('comments').select(['id', 'text']))
  return new Map(rows.map(({ id, text }) => [id, text]))
}

async function visitsOf(reader: Client, ids: readonly number[]) {
  const { body } = await reader.get(`/rest/bug_user_last_visit?${ids.map((id) => `ids=${id}`).join('&')}`)
  return body
}

async function withContent<Attachment extends { id: number }>(reader: Client, attachment: Attachment) {
  const { data } = await readAttachment(reader, attachment.id, '?include_fields=data')
  return { ...attachment, content: Buffer.from(data, 'base64').toString() }
}
