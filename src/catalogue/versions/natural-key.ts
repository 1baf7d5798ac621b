import { fold } from '../../platform/text/fold.ts'

/**
 * Text that sorts as people read version numbers: 1.9 before 1.10, letters of either case alike. Every number is led by how many
 * digits it has, so that a plain comparison of the texts compares the numbers.
 */
export function naturalKey(name: string) {
  return fold(name).replace(/\d+/g, (digits) => {
    const number = digits.replace(/^0+(?=\d)/, '')
    return String(number.length).padStart(2, '0') + number
  })
}
