/** Whether the text has more characters than this. What takes two places in a string of JavaScript, as an emoji does, is one character. */
export function isLongerThan(text: string, most: number): boolean {
  return text.length > most && (text.length > 2 * most || [...text].length > most)
}
