const LONGEST_REASON = 2000

/** The responses of other servers may contain characters that a column cannot store. */
export function storableReason(text: string) {
  return text.replaceAll('\0', ' ').slice(0, LONGEST_REASON).toWellFormed()
}
