import { ARCHIVED } from '../../moving/archive/archive-tables.ts'
import { EMPTY_KEY } from '../../platform/contents/content-store.ts'
import { SET_ALL_LISTS, WRONG_LISTS } from '../../platform/database/bug-lists.ts'
import { allRows } from '../../platform/database/snapshot.ts'
import { CATALOGUE, quoted } from '../../platform/database/table-columns.ts'
import { SUMMARY_PLACE } from '../../platform/text/words.ts'
import { timeNow } from '../../platform/time/clock.ts'
import type { IntegrityCheck } from './integrity-check.ts'

/** Rows that refer to rows that do not exist. */
export const orphans: IntegrityCheck = {
  name: 'references',
  async *find({ snapshot }) {
    for (const key of await allRows(snapshot, CATALOGUE[snapshot.engine].foreignKeys)) {
      const [table, column] = [String(key.table_name), String(key.column_name)]
      const select = `select ${quoted(column)} as missing, count(*) as n from ${quoted(table)} as t
        where ${quoted(column)} is not null
          and not exists (select 1 from ${quoted(String(key.parent))} as p where p.${quoted(String(key.parent_column ?? 'id'))} = t.${quoted(column)})
        group by ${quoted(column)} order by 1`
      for await (const rows of snapshot.rows(select))
        for (const { missing, n } of rows)
          yield {
            sentence: `${n} rows of ${table} refer to ${key.parent} ${missing}, which does not exist (${column})`,
            subject: `${table}.${column}`,
          }
    }
  },
}

/** References that the database cannot check by itself. */
export const looseReferences: IntegrityCheck = {
  name: 'loose references',
  async *find({ snapshot }) {
    for (const { select, says } of LOOSE)
      for await (const rows of snapshot.rows(select))
        for (const { subject } of rows) yield { sentence: says(String(subject)), subject: String(subject) }
  },
}

const LOOSE: readonly { select: string; says: (subject: string) => string }[] = [
  {
    select: `select p.id as subject from products p where p.default_milestone_id is not null
      and not exists (select 1 from milestones m where m.id = p.default_milestone_id and m.product_id = p.id)`,
    says: (id) => `product ${id} has a default milestone that it does not have`,
  },
  {
    select: `select p.id as subject from products p where p.default_version_id is not null
      and not exists (select 1 from versions v where v.id = p.default_version_id and v.product_id = p.id)`,
    says: (id) => `product ${id} has a default version that it does not have`,
  },
  {
    select: `select f.id as subject from flags f where f.attachment_id is not null
      and not exists (select 1 from attachments a where a.id = f.attachment_id and a.bug_id = f.bug_id)`,
    says: (id) => `flag ${id} is on an attachment that its bug does not have`,
  },
]

export const lists: IntegrityCheck = {
  name: 'lists of bugs',
  async *find({ snapshot }) {
    for await (const rows of snapshot.rows(WRONG_LISTS))
      for (const { id } of rows)
        yield { sentence: `bug ${id} has rows in a list whose bit in bugs.lists is not set`, subject: Number(id) }
  },
  repair: (tx) => tx.script(SET_ALL_LISTS),
}

/** Comments are named by their numbers within the bug, of which the description has the first. */
export const commentNumbers: IntegrityCheck = {
  name: 'numbers of comments',
  async *find({ snapshot }) {
    for await (const rows of snapshot.rows(`select bug_id as id, number, count(*) as n from comments
      where number < 0 or number >= ${SUMMARY_PLACE} group by bug_id, number
      union all select bug_id, number, count(*) from comments group by bug_id, number having count(*) > 1 order by 1, 2`))
      for (const { id, number, n } of rows)
        yield { sentence: `bug ${id} has ${n} comments with the number ${number}`, subject: Number(id) }
    for await (const rows of snapshot.rows(`select id from bugs where not exists (select 1 from comments
      where comments.bug_id = bugs.id and comments.number = 0) order by id`))
      for (const { id } of rows)
        yield { sentence: `bug ${id} has no description: no comment with the number 0`, subject: Number(id) }
  },
}

/** Attachments with the same content have the same size; an empty content has none. */
export const attachmentSizes: IntegrityCheck = {
  name: 'sizes of attachments',
  async *find({ snapshot }) {
    const select = `select id, size, (select max(size) from attachments o where o.content_digest = attachments.content_digest) as other
      from attachments where size < 0 or (content_digest = '${EMPTY_KEY}' and size <> 0)
        or size <> (select max(size) from attachments o where o.content_digest = attachments.content_digest) order by id`
    for await (const rows of snapshot.rows(select))
      for (const { id, size, other } of rows)
        yield {
          sentence: `attachment ${id} has the size ${size}, which does not fit its content (${other})`,
          subject: Number(id),
        }
  },
}

const SUM_OF_WORK = '(select coalesce(sum(work_hundredths), 0) from comments where comments.bug_id = bugs.id)'

export const workTimes: IntegrityCheck = {
  name: 'work times',
  async *find({ snapshot }) {
    for await (const rows of snapshot.rows(
      `select id, actual_hundredths as stored, ${SUM_OF_WORK} as counted from bugs
        where actual_hundredths <> ${SUM_OF_WORK} order by id`,
    ))
      for (const { id, stored, counted } of rows)
        yield {
          sentence: `bug ${id} has ${stored} hundredths of hours of work, and its comments have ${counted}`,
          subject: Number(id),
        }
  },
  repair: (tx) =>
    tx.script(`update bugs set actual_hundredths = ${SUM_OF_WORK} where actual_hundredths <> ${SUM_OF_WORK}`),
}

/** Generated ids that were used already would fail or, worse, refer to something else. */
export const nextIds: IntegrityCheck = {
  name: 'next ids',
  async *find({ snapshot }) {
    const { tablesWithIds, lastIds } = CATALOGUE[snapshot.engine]
    const numbered = new Set((await allRows(snapshot, tablesWithIds)).map(({ table_name }) => table_name))
    for (const table of ARCHIVED.filter((name) => numbered.has(name))) {
      const [last] = await allRows(snapshot, lastIds([table]))
      const [largest] = await allRows(snapshot, `select coalesce(max(id), 0) as id from ${quoted(table)}`)
      if (Number(last?.last_id) < Number(largest?.id))
        yield {
          sentence: `the next id of ${table} follows ${last?.last_id}, but there is ${largest?.id} already`,
          subject: table,
        }
    }
  },
  async repair(tx, faults) {
    for (const { subject } of faults)
      await tx.query((q, d) => q.selectNoFrom(d.idsFollowThoseIn(subject as 'bugs').as('next')))
  },
}

const UNRECORDED = `select distinct content_digest as key from attachments where content_digest <> '${EMPTY_KEY}'
  and not exists (select 1 from stored_contents s where s.key = attachments.content_digest and s.freed_at is null)`

/** A content that is not recorded could be deleted while attachments use it. */
export const recordedContents: IntegrityCheck = {
  name: 'records of contents',
  async *find({ snapshot }) {
    for await (const rows of snapshot.rows(`${UNRECORDED} order by 1`))
      for (const { key } of rows)
        yield { sentence: `the content ${key} is attached, but not recorded as stored`, subject: String(key) }
  },
  repair: (tx) =>
    tx.script(`update stored_contents set freed_at = null where key in (${UNRECORDED});
      insert into stored_contents (key, digest, stored_at)
        select key, substr(key, 1, 64), '${timeNow()}' from (${UNRECORDED}) as missing`),
}

const WITHOUT_LANE = `select distinct queue, lane from jobs where died_at is null
  and not exists (select 1 from lanes where lanes.queue = jobs.queue and lanes.lane = jobs.lane)`

/** A job without a lane would never be tried. */
export const lanesOfJobs: IntegrityCheck = {
  name: 'waiting deliveries',
  async *find({ snapshot }) {
    for await (const rows of snapshot.rows(WITHOUT_LANE))
      for (const { queue, lane } of rows)
        yield {
          sentence: `jobs wait in the lane ${lane} of ${queue}, which does not exist`,
          subject: `${queue} ${lane}`,
        }
  },
  repair: (tx) =>
    tx.script(`insert into lanes (queue, lane, due_at, failures, lease)
      select queue, lane, '${timeNow()}', 0, '' from (${WITHOUT_LANE}) as missing`),
}

const HAS_FACTOR = `(case when exists (select 1 from second_factors f where f.user_id = users.id and f.is_confirmed = 1) then 1 else 0 end)`

/** An account whose second factors are not noted could log in without them. */
export const notedFactors: IntegrityCheck = {
  name: 'second factors',
  async *find({ snapshot }) {
    for await (const rows of snapshot.rows(`select id from users where has_factor <> ${HAS_FACTOR} order by id`))
      for (const { id } of rows)
        yield { sentence: `users.has_factor of user ${id} does not fit its second factors`, subject: Number(id) }
  },
  repair: (tx) => tx.script(`update users set has_factor = ${HAS_FACTOR} where has_factor <> ${HAS_FACTOR}`),
}
