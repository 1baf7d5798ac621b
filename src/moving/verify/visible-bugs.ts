/** Which bugs each person sees on the new server: sorted numbers, which need little memory. */
export class VisibleBugs {
  private readonly numbers = new Map<string, number[]>()

  /** Numbers come in ascending order. */
  add(person: string, numbers: readonly number[]) {
    const own = this.numbers.get(person) ?? []
    this.numbers.set(person, own)
    for (const number of [...numbers].sort((one, other) => one - other))
      if (number > (own.at(-1) ?? 0)) own.push(number)
  }

  has(person: string, number: number): boolean {
    const own = this.numbers.get(person) ?? []
    let [low, high] = [0, own.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((own[middle] as number) < number) low = middle + 1
      else high = middle
    }
    return own[low] === number
  }
}
