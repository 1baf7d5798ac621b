/** Whether one of the texts has every typed word. */
export function isFound(typed: string, ...texts: readonly string[]) {
  const all = texts.join('\n').toLowerCase()
  return typed
    .toLowerCase()
    .split(/\s+/)
    .every((word) => all.includes(word))
}
