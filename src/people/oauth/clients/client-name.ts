const LONGEST = 60
const UNNAMED = 'A program without a name'

/**
 * The name that a program gives itself, as it is stored and shown: one line of text, without characters that hide, that turn the direction of
 * the text around, or that pile up on others.
 */
export function cleanName(input: unknown): string {
  if (typeof input !== 'string') return UNNAMED
  const plain = input
    .slice(0, MOST_READ)
    .normalize('NFKC')
    .replace(/[\p{C}\p{Z}]+/gu, ' ')
    .replace(/\p{Default_Ignorable_Code_Point}+/gu, '')
    .replace(/(\p{M}{2})\p{M}+/gu, '$1')
    .trim()
  const shown = [...plain].slice(0, LONGEST).join('').trim()
  return /[\p{L}\p{N}]/u.test(shown) ? shown : UNNAMED
}

const MOST_READ = 1000

/** Whether the name of a program looks as if the program were a part of this installation: by its name, or by that of the software. */
export function looksLikeOurs(name: string, siteName: string): boolean {
  const skeleton = skeletonOf(name)
  return [siteName, 'Lacewing'].map(skeletonOf).some((own) => own.length >= SHORTEST && skeleton.includes(own))
}

/** A shorter name is in too many others. */
const SHORTEST = 3

/** Names that look alike have the same skeleton: letters of other alphabets, digits and accents that look like Latin letters count as these. */
function skeletonOf(text: string): string {
  return [...text.toLowerCase().normalize('NFKD')]
    .map((character) => LOOK_ALIKES.get(character) ?? character)
    .join('')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w')
    .replaceAll('i', 'l')
}

const LOOK_ALIKES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    a: 'аαɑ@4',
    b: 'ьƅв8',
    c: 'сϲςᴄ',
    d: 'ԁɗ',
    e: 'еєε3ҽ',
    g: 'ɡց9',
    h: 'һհн',
    i: 'іιı1|!íɩ',
    j: 'јϳ',
    k: 'кκ',
    l: 'ӏⅼ',
    m: 'м',
    n: 'пոη',
    o: 'оοօ0σ',
    p: 'рρ',
    q: 'ԛզ',
    r: 'гᴦ',
    s: 'ѕꜱ5$',
    t: 'тτ7',
    u: 'υսц',
    v: 'νѵ',
    w: 'ԝшω',
    x: 'хχ',
    y: 'уγү',
    z: 'ᴢ2',
  }).flatMap(([letter, others]) => [...others].map((other): [string, string] => [other, letter])),
)
