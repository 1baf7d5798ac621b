import type { Db } from '../db.ts'

/** The short name of each account, and the ones that it had: those lead to it. An account without one is user-17, by its number. */
export const nicks = {
  name: 'nicks',
  oldestWriter: '6.0.0',
  up: `
    alter table users add column nick {text};
    create table user_nicks (
      skeleton {text} primary key,
      nick {text} not null,
      user_id integer not null references users (id) on delete cascade,
      chosen_at {text}
    );
    create index user_nicks_of_user on user_nicks (user_id);
    create index users_by_nick on users (nick);
  `,
  fill: giveNicksToAll,
}

const AT_ONCE = 1000

/** Gives a nick to every account with a name. A thousand at a time, so that a million need no more memory. */
async function giveNicksToAll(tx: Db) {
  for (let last = 0; ; ) {
    const users = await tx.query((q) =>
      q
        .selectFrom('users')
        .select(['id', 'real_name'])
        .where('id', '>', last)
        .where('nick', 'is', null)
        .orderBy('id')
        .limit(AT_ONCE),
    )
    await giveNicks(tx, users)
    if (users.length < AT_ONCE) return
    last = users.at(-1)?.id ?? last
  }
}

async function giveNicks(tx: Db, users: readonly { id: number; real_name: string }[]) {
  let without = users.map(({ id, real_name }) => ({ id, wanted: suggestedNicks(real_name, id) }))
  const given: number[] = []
  while (without.length > 0) {
    const rows = new Map<string, { skeleton: string; nick: string; user_id: number }>()
    for (const { id, wanted } of without) {
      const nick = wanted.shift()
      if (nick !== undefined && !rows.has(nickSkeleton(nick)))
        rows.set(nickSkeleton(nick), { skeleton: nickSkeleton(nick), nick, user_id: id })
    }
    const inserted = rows.size === 0 ? [] : await insertFree(tx, [...rows.values()])
    const ids = new Set(inserted.map((row) => row.user_id))
    given.push(...ids)
    without = without.filter(({ id, wanted }) => wanted.length > 0 && !ids.has(id))
  }
  if (given.length === 0) return
  await tx.query((q, d) =>
    q
      .updateTable('users')
      .set((row) => ({
        nick: row.selectFrom('user_nicks').select('nick').whereRef('user_nicks.user_id', '=', 'users.id'),
      }))
      .where('id', 'in', d.integersIn(JSON.stringify(given))),
  )
}

function insertFree(tx: Db, rows: readonly { skeleton: string; nick: string; user_id: number }[]) {
  return tx.query((q) =>
    q
      .insertInto('user_nicks')
      .values(rows)
      .onConflict((conflict) => conflict.doNothing())
      .returning('user_id'),
  )
}

const SHORTEST_NICK = 2
const LONGEST_NICK = 30

function hasNickShape(nick: string): boolean {
  if (nick.length < SHORTEST_NICK || nick.length > LONGEST_NICK) return false
  return /^[a-z0-9]+(?:[._-][a-z0-9]+)*$/.test(nick) && /[a-z]/.test(nick)
}

function nickSkeleton(nick: string): string {
  return nick
    .replaceAll(/[._-]/g, '')
    .replaceAll('0', 'o')
    .replaceAll('1', 'l')
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w')
}

const RESERVED = new Set(
  (
    'admin administrator administrators all anonymous anyone assignee author bot cc channel everybody everyone group help here lacewing me ' +
    'moderator nobody none null qa reporter root security server staff support system team triage undefined user users webmaster you'
  )
    .split(' ')
    .map(nickSkeleton),
)

function isReservedNick(nick: string): boolean {
  const key = nickSkeleton(nick)
  return RESERVED.has(key) || /^(?:former)?user[0-9ol]*$/.test(key)
}

function suggestedNicks(realName: string, userId: number): string[] {
  const name = realName.slice(0, LONGEST_NAME_READ)
  const said = /(?:^|[\s([{])[:@]([\w.-]{1,60})(?![\w@.-]*@)/.exec(name)?.[1]
  const words = name
    .replaceAll(/\([^()]*\)|\[[^[\]]*\]|\{[^{}]*\}/g, ' ')
    .split(/\s+/)
    .filter((word) => !word.includes('@') && !word.startsWith(':'))
    .map(inLatin)
    .filter((word) => word !== '')
  const [first = '', last = ''] = [words[0], words.length > 1 ? words.at(-1) : undefined]
  const long = `${first}.${last}`
  const wanted = [
    inLatin(said ?? ''),
    first,
    ...(last === '' ? [] : [long]),
    first === '' ? '' : `${first.slice(0, 18)}-${userId}`,
  ]
  return [...new Set(wanted)].filter((nick) => hasNickShape(nick) && !isReservedNick(nick))
}

const LONGEST_NAME_READ = 300

/** In lower-case ASCII, with hyphens and dots only between letters or digits. */
function inLatin(word: string): string {
  return word
    .toLowerCase()
    .replaceAll(/[ßøæœđðłþıŋ]/g, (letter) => LATIN.get(letter) ?? '')
    .normalize('NFKD')
    .replaceAll(/[^a-z0-9._-]+/g, '')
    .replaceAll(/[._-]{2,}/g, '-')
    .replaceAll(/^[._-]|[._-]$/g, '')
}

const LATIN: ReadonlyMap<string, string> = new Map(
  'ß ss,ø o,æ ae,œ oe,đ d,ð d,ł l,þ th,ı i,ŋ n'.split(',').map((pair) => pair.split(' ') as [string, string]),
)
