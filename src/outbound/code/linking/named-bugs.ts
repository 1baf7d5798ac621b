import type { SourceWords } from '../sources/code-source.ts'

/** A bug that a text names. */
export interface NamedBug {
  id: number
  /** Whether a word says that the change resolves it. */
  resolves: boolean
  namedIn: 'title' | 'text' | 'attachment'
}

/** A change that names more bugs is linked to the first ones. */
const MOST_NAMED_BUGS = 20
/** A text is searched up to here. */
const MOST_SEARCHED = 10_000
/** The messages of many commits are searched at once, each up to here. */
const MOST_OF_MESSAGE = 4000
const HIGHEST_ID = 2_147_483_647

/**
 * The bugs that a change names: in its title after any of the words, and in its text only after one that resolves, because a text also
 * mentions bugs in passing.
 */
export function namedBugs(words: SourceWords, { title, text }: { title: string; text: string }): NamedBug[] {
  const found = new Map<number, NamedBug>()
  const add = (bug: NamedBug) => {
    const known = found.get(bug.id)
    if (known !== undefined) found.set(bug.id, { ...known, resolves: known.resolves || bug.resolves })
    else if (found.size < MOST_NAMED_BUGS) found.set(bug.id, bug)
  }
  for (const { id, isResolved } of bugsAfter(words, title)) add({ id, resolves: isResolved, namedIn: 'title' })
  for (const { id, isResolved } of bugsAfter(words, text)) if (isResolved) add({ id, resolves: true, namedIn: 'text' })
  return [...found.values()]
}

/** The bugs of one line and of the lines below it, as a message of a commit has them. */
export function namedInMessage(words: SourceWords, whole: string): NamedBug[] {
  const message = whole.slice(0, MOST_OF_MESSAGE)
  const [title = ''] = message.split('\n', 1)
  return namedBugs(words, { title, text: message.slice(title.length) })
}

function* bugsAfter({ link_words, resolve_words }: SourceWords, text: string) {
  const pattern = patternFor(link_words, resolve_words)
  if (pattern === undefined) return
  for (const { groups } of text.slice(0, MOST_SEARCHED).matchAll(pattern)) {
    const id = Number(groups?.id)
    if (id > 0 && id <= HIGHEST_ID) yield { id, isResolved: groups?.resolving !== undefined }
  }
}

/**
 * `bug 12`, `Bug #12`, `fixes 12`, `Closes: #12`, `fixes bug 12`. What may stand between word and number is short and of fixed length, so that
 * no text takes long.
 */
function patternFor(linkWords: readonly string[], resolveWords: readonly string[]): RegExp | undefined {
  const key = JSON.stringify([linkWords, resolveWords])
  const known = patterns.get(key)
  if (known !== undefined) return known
  if (linkWords.length + resolveWords.length === 0) return undefined
  const link = linkWords.length === 0 ? '(?!)' : `(?:${linkWords.join('|')})`
  const resolve = resolveWords.length === 0 ? '(?!)' : `(?:${resolveWords.join('|')})`
  const between = String.raw`[ \t]?:?[ \t]?`
  const made = new RegExp(
    String.raw`(?<![\p{L}\p{N}_])(?:(?<resolving>${resolve})${between}(?:${link}${between})?|${link}${between})#?(?<id>\d{1,10})(?![\p{L}\p{N}_])`,
    'giu',
  )
  if (patterns.size >= MOST_PATTERNS) patterns.clear()
  patterns.set(key, made)
  return made
}

const MOST_PATTERNS = 200
/** By the words of a source. */
const patterns = new Map<string, RegExp>()
