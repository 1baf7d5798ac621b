/** Whether the text has more characters than this. A surrogate pair, such as an emoji, counts as one character. */
export function isLongerThan(text: string, most: number): boolean {
  return text.length > most && (text.length > 2 * most || [...text].length > most)
}
