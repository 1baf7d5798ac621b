/** Pseudorandom numbers that are the same in every run. */
export function numbersFrom(seed: number) {
  let state = seed
  return (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

export type Numbers = ReturnType<typeof numbersFrom>

const FIRST_WORDS =
  'the page shows nothing when a window is closed before it was drawn and then crashes with an error that tells of memory network or font'.split(
    ' ',
  )
/** Many, so that trigrams are as selective as in a real language. */
const ONSETS = 'b br c ch cl d dr f fl g gr h j k l m n p pl pr qu r s sh sl sp st str t th tr v w z'.split(' ')
const VOWELS = 'a e i o u ea ou ai'.split(' ')
const CODAS = ['', '', 'n', 'r', 'l', 's', 't', 'm', 'nd', 'st', 'ck', 'ng']
const WORDS = 30_000

/**
 * As in any language: the second word is half as frequent as the first, the thousandth a thousandth, and most are rare.
 */
const vocabulary = makeVocabulary()

function makeVocabulary() {
  const any = numbersFrom(7)
  const made = new Set(FIRST_WORDS)
  const some = (list: readonly string[]) => list[any(list.length)] as string
  while (made.size < WORDS) {
    const length = 1 + any(made.size < 500 ? 2 : 3)
    made.add(Array.from({ length }, () => some(ONSETS) + some(VOWELS) + some(CODAS)).join(''))
  }
  return [...made]
}

/** The word with this rank of frequency; the most frequent one is 0. */
export function wordNumber(place: number) {
  return vocabulary[place] as string
}

const STEPS = 1_000_000
const LOG_WORDS = Math.log(WORDS)

export function sentence(any: Numbers, words: number) {
  let text = ''
  for (let place = 0; place < words; place++)
    text += `${place === 0 ? '' : ' '}${vocabulary[Math.floor(Math.exp((any(STEPS) / STEPS) * LOG_WORDS)) - 1]}`
  return text
}
