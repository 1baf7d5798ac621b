import type { Letter, ToldComment } from './letter.ts'
import { reasonsInWords } from './reasons.ts'
import { changeTable, factList } from './text-table.ts'

/** The letter in plain text. */
export function letterAsText(letter: Letter, preferencesLink: string | undefined): string {
  const { link, opening, facts, changes, comments } = letter
  const parts = [
    link,
    opening,
    facts.length > 0 ? factList(facts) : '',
    changes.length > 0 ? changeTable(changes) : '',
    ...comments.map(commentAsText),
    footer(letter, preferencesLink),
  ]
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`
}

export function headingOf({ number, author, at, isPrivate }: ToldComment) {
  const which = number === 0 ? 'Description' : `Comment ${number}`
  return `${which} by ${author}, ${timeInWords(at)}${isPrivate ? ' (private)' : ''}`
}

function commentAsText(comment: ToldComment) {
  const heading = `${headingOf(comment)}:`
  return `${heading}\n${comment.text}`
}

/** `2026-01-31T12:00:00Z` as people write it. */
export function timeInWords(at: string) {
  return `${at.slice(0, 10)} ${at.slice(11, 16)} UTC`
}

/** Two dashes and a blank begin what mail programs take for the signature, and leave out of an answer. */
function footer(letter: Letter, preferencesLink: string | undefined) {
  const why = `You get this because ${reasonsInWords(letter).join('; ')}.`
  return `-- \n${why}${preferencesLink === undefined ? '' : `\nChoose what you are told: ${preferencesLink}`}`
}
