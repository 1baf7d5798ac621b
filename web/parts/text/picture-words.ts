// What a text in Markdown says about the files that are sent with it.

/** A reference to a picture in Markdown, as the text has it. */
function pictureIn(text: string, name: string) {
  const at = text.indexOf(`](attachment:${name})`)
  const start = at === -1 ? -1 : text.lastIndexOf('![', at)
  if (start === -1) return undefined
  const words = text.slice(start + 2, at)
  return /[\]\n]/.test(words) ? undefined : { start, end: at + `](attachment:${name})`.length, words: words.trim() }
}

/** Whether the text shows the picture in this file. */
export function isShownIn(text: string, { name }: File): boolean {
  return pictureIn(text, name) !== undefined
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
