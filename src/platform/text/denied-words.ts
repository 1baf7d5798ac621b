/**
 * The words, phrases and parts of addresses of a list, one per line, compared as a reader sees them: other spellings of the same letters,
 * invisible characters, marks of Markdown, entities and encoded addresses make no difference.
 */
export function hasDeniedWord(list: string, texts: readonly (string | undefined)[]): boolean {
  const denied = list
    .split(/\r?\n/)
    .map(comparable)
    .filter((word) => word !== '')
  if (denied.length === 0) return false
  const written = texts.filter((text) => text !== undefined).join('\n')
  const forms = [...new Set([written, withoutMarkup(written)].map(comparable))]
  return denied.some((word) => forms.some((form) => form.includes(word)))
}

/** Small letters of other scripts that look like Latin ones, and full stops that browsers read as dots. */
const LOOKALIKES = {
  ...{ a: 'аᴀα', b: 'вь', c: 'сϲ', d: 'ԁ', e: 'еҽ', g: 'ɡ', h: 'һ', i: 'іıι', j: 'ј', k: 'кκ', l: 'ӏ', m: 'м', n: 'ո' },
  ...{ o: 'оοօ', p: 'рρ', q: 'ԛ', s: 'ѕ', t: 'тτ', u: 'υս', v: 'νѵ', w: 'ԝ', x: 'хχ', y: 'у', '.': '。｡' },
}

const latin = new Map(
  Object.entries(LOOKALIKES).flatMap(([letter, others]) => [...others].map((other) => [other, letter] as const)),
)

/** Small letters without accents, in Latin where they look so, without invisible characters, and with single spaces. */
function comparable(text: string): string {
  const plain = text
    .normalize('NFKD')
    .replace(/[\p{Default_Ignorable_Code_Point}\p{Cf}\p{M}]/gu, '')
    .toLowerCase()
  return [...plain]
    .map((character) => latin.get(character) ?? character)
    .join('')
    .replace(/\s+/g, ' ')
    .trim()
}

/** Without what Markdown, HTML and addresses put between or in place of letters. */
function withoutMarkup(text: string): string {
  return text
    .replace(/&#x([0-9a-f]{1,6});?|&#(\d{1,7});?/gi, (whole, hex, decimal) =>
      characterOf(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16), whole),
    )
    .replace(/%([0-9a-f]{2})/gi, (whole, hex) => characterOf(Number.parseInt(hex, 16), whole))
    .replace(/&(?:period|dot);/gi, '.')
    .replace(/&(?:nbsp|shy|zwnj|zwj);/gi, '')
    .replace(/<!--[\s\S]*?-->|<\/?[a-z][^<>]{0,200}>/gi, '')
    .replace(/[*_~`\\[\]]/g, '')
}

function characterOf(code: number, otherwise: string) {
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : otherwise
}
