// The names of keys as they are printed on a keyboard.

const NAMES: ReadonlyMap<string, string> = new Map([
  ['ArrowDown', '↓'],
  ['ArrowUp', '↑'],
  ['Escape', 'Esc'],
])

/** `Ctrl+k` is Ctrl and K, `X` is Shift and X, `g h` is G and then H. */
export function keyNames(keys: string): string[] {
  return keys.split(/[ +]/).flatMap((key) => {
    if (/^[A-Z]$/.test(key)) return ['Shift', key]
    return [NAMES.get(key) ?? (/^[a-z]$/.test(key) ? key.toUpperCase() : key)]
  })
}

/** Letters first, in their order; the same letter with Shift or Ctrl after it. */
export function byKeyName(one: string, other: string): number {
  const rank = (keys: string) => {
    const names = keyNames(keys)
    const plain = names.filter((name) => name !== 'Shift' && name !== 'Ctrl')
    return [/^[A-Z]$/.test(plain[0] ?? '') ? 0 : 1, plain.join(' '), names.length - plain.length] as const
  }
  const [a, b] = [rank(one), rank(other)]
  return a[0] - b[0] || a[1].localeCompare(b[1], 'en') || a[2] - b[2]
}
