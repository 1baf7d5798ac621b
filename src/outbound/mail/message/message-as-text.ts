import type { MessageComment, MessageContent } from './message-content.ts'
import { reasonTexts } from './reasons.ts'
import { changeTable, factList } from './text-table.ts'

/** The message as plain text. */
export function messageAsText(message: MessageContent, preferencesLink: string | undefined): string {
  const { link, opening, facts, changes, comments } = message
  const parts = [
    link,
    opening,
    facts.length > 0 ? factList(facts) : '',
    changes.length > 0 ? changeTable(changes) : '',
    ...comments.map(commentAsText),
    footer(message, preferencesLink),
  ]
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`
}

export function headingOf({ number, author, at, isPrivate }: MessageComment) {
  const which = number === 0 ? 'Description' : `Comment ${number}`
  return `${which} by ${author}, ${readableTime(at)}${isPrivate ? ' (private)' : ''}`
}

function commentAsText(comment: MessageComment) {
  const heading = `${headingOf(comment)}:`
  return `${heading}\n${comment.text}`
}

/** `2026-01-31T12:00:00Z` as `2026-01-31 12:00 UTC`. */
export function readableTime(at: string) {
  return `${at.slice(0, 10)} ${at.slice(11, 16)} UTC`
}

/** Mail programs take what follows "-- " as the signature, and leave it out of a reply. */
function footer(message: MessageContent, preferencesLink: string | undefined) {
  const why = `You get this because ${reasonTexts(message).join('; ')}.`
  return `-- \n${why}${preferencesLink === undefined ? '' : `\nChange your mail preferences: ${preferencesLink}`}`
}
