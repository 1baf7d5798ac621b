/** Whether the text is one line without control characters, so that it breaks no list, table or mail header. */
export function isOneLine(text: string) {
  return !/[\p{Cc}\u2028\u2029]/u.test(text)
}
