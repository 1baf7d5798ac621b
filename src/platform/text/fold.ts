/**
 * The form in which names are compared: names that differ only in case or in the encoding of accents are equal. It is
 * computed here and stored, so that both engines agree.
 */
export function fold(text: string) {
  return text.normalize('NFC').toLowerCase()
}

/** Returns a function that compares other names with this one. A client's name can be long, so it is folded once. */
export function sameAs(name: string): (other: string) => boolean {
  const key = fold(name)
  return (other) => fold(other) === key
}
