export const SHORTEST_NICK = 2
export const LONGEST_NICK = 30

/** The short name as it is stored and shown: `Ann.Lee` is `ann.lee`. */
export function nickFrom(input: string): string {
  return input.trim().replace(/^[@:]/, '').toLowerCase()
}

/** Only these characters, so that no nick looks like another one that is written in another alphabet. */
export function hasNickShape(nick: string): boolean {
  if (nick.length < SHORTEST_NICK || nick.length > LONGEST_NICK) return false
  return /^[a-z0-9]+(?:[._-][a-z0-9]+)*$/.test(nick) && /[a-z]/.test(nick)
}

/** Nicks that look alike have the same key: `ann-lee`, `annlee` and `ann.1ee`. One account has all nicks of a key. */
export function nickSkeleton(nick: string): string {
  return nick
    .replaceAll(/[._-]/g, '')
    .replaceAll('0', 'o')
    .replaceAll('1', 'l')
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w')
}

/** The nick of an account that has no other one. */
export function neutralNick(userId: number): string {
  return `user-${userId}`
}

/** The account whose neutral nick this is. */
export function idInNeutralNick(nick: string): number | undefined {
  const digits = /^user-([1-9]\d{0,9})$/.exec(nick)?.[1]
  return digits === undefined ? undefined : Number(digits)
}

/** Words that mean more than one person, a role or the server. */
const RESERVED = new Set(
  (
    'admin administrator administrators all anonymous anyone assignee author bot cc channel everybody everyone group help here lacewing me ' +
    'moderator nobody none null qa reporter root security server staff support system team triage undefined user users webmaster you'
  )
    .split(' ')
    .map(nickSkeleton),
)

/** Whether nobody may choose it: a word that means somebody else, or what looks like the neutral nick of an account. */
export function isReservedNick(nick: string): boolean {
  const key = nickSkeleton(nick)
  return RESERVED.has(key) || /^(?:former)?user[0-9ol]*$/.test(key)
}

/**
 * Nicks for a person, the best one first, from nothing but the real name: what it says itself (`Ann Lee [:ann]`), its first word, its first and last
 * word, and its first word with the number of the account. Words with an @ are left out, because they are addresses.
 */
export function suggestedNicks(realName: string, userId: number): string[] {
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
