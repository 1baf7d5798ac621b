import { createContext } from 'preact'

/** A picture that a text refers to: an attachment that the reader may see, or a file that is not sent yet. */
export type FoundPicture = { id: number } | { file: File }

/** Finds the picture of a reference in the text that is shown. Without it, or for one that the reader may not see, the words are shown. */
export const Pictures = createContext<(reference: string) => FoundPicture | undefined>(() => undefined)

/** A reference to a picture in Markdown, as the text has it. */
export function pictureIn(text: string, name: string) {
  const at = text.indexOf(`](attachment:${name})`)
  const start = at === -1 ? -1 : text.lastIndexOf('![', at)
  if (start === -1) return undefined
  const words = text.slice(start + 2, at)
  return /[\]\n]/.test(words) ? undefined : { start, end: at + `](attachment:${name})`.length, words: words.trim() }
}

/** What the author wrote about the picture in this file; empty if nothing. */
export function wordsAbout(text: string, { name }: File): string {
  return pictureIn(text, name)?.words ?? ''
}

/** The text without the reference to a picture. */
export function withoutPicture(text: string, { name }: File): string {
  const found = pictureIn(text, name)
  return found === undefined ? text : text.slice(0, found.start) + text.slice(found.end)
}
