/** A person as an address or as a name with an address in angle brackets. */
export interface WrittenPerson {
  address: string
  name: string
}

/** Texts of more are not read: they would be refused anyway. */
const LONGEST = 50_000

/** The people of a pasted text: one on each line, or with commas or semicolons between them. Commas in quotes do not count. */
export function splitPeople(text: string): string[] {
  const found: string[] = []
  let [begin, isQuoted] = [0, false]
  const end = Math.min(text.length, LONGEST)
  for (let place = 0; place <= end; place++) {
    const sign = place === end ? '\n' : text.charAt(place)
    if (sign === '"') isQuoted = !isQuoted
    const isEnd = sign === '\n' || sign === '\r' || (!isQuoted && (sign === ',' || sign === ';'))
    if (!isEnd) continue
    found.push(...withoutSpaces(text.slice(begin, place)))
    begin = place + 1
    if (sign === '\n') isQuoted = false
  }
  return found
}

/** Addresses without names may also have spaces between them. */
function withoutSpaces(entry: string): string[] {
  const words = entry.split(/\s+/).filter((word) => word !== '')
  const areAddresses = words.length > 1 && words.every((word) => word.includes('@') && !/[<>"]/.test(word))
  return areAddresses ? words : words.length === 0 ? [] : [words.join(' ')]
}

export function personIn(entry: string): WrittenPerson {
  const begin = entry.lastIndexOf('<')
  const end = entry.trimEnd()
  if (begin < 0 || !end.endsWith('>')) return { address: entry.trim(), name: '' }
  const name = entry.slice(0, begin).trim()
  const isQuoted = name.length > 1 && name.startsWith('"') && name.endsWith('"')
  return { address: end.slice(begin + 1, -1).trim(), name: isQuoted ? name.slice(1, -1).trim() : name }
}
