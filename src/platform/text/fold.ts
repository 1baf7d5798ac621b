/**
 * The form in which names are compared: two names that differ only in letter case, or in how an accent is encoded, are one.
 * Done here and stored, so that both engines agree; neither is ever asked to fold letters itself.
 */
export function fold(text: string) {
  return text.normalize('NFC').toLowerCase()
}

/** Whether other names are this one. A name that a client sends can be long, so it is folded once. */
export function sameAs(name: string): (other: string) => boolean {
  const key = fold(name)
  return (other) => fold(other) === key
}
