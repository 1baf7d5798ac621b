import { fold } from '../../platform/text/fold.ts'

/**
 * A sort key in the natural order of version numbers: 1.9 before 1.10, regardless of letter case. Each number is preceded by the count
 * of its digits, so that comparing the texts compares the numbers.
 */
export function naturalKey(name: string) {
  return fold(name).replace(/\d+/g, (digits) => {
    const number = digits.replace(/^0+(?=\d)/, '')
    return String(number.length).padStart(2, '0') + number
  })
}
