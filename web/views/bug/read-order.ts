/** Which answers are shown: one can arrive after another that was asked for later. */
export class ReadOrder<Part extends string> {
  private begun = 0
  private readonly shown = new Map<Part, number>()

  /** Returns the number of a read that begins now. */
  begin(): number {
    return ++this.begun
  }

  /** Whether no later read of this part of the page is shown. If so, this one counts as shown from now on. */
  isNewest(part: Part, read: number): boolean {
    if (read < (this.shown.get(part) ?? 0)) return false
    this.shown.set(part, read)
    return true
  }
}
