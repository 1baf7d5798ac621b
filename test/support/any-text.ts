import fc from 'fast-check'

/**
 * Texts of any UTF-16 units, also halves of pairs. `fc.string({ unit: 'binary' })` has no halves, and takes a second of each process to make
 * a table of all characters.
 */
export function anyText(limits: { maxLength?: number } = {}) {
  return fc.string({ ...limits, unit: character })
}

const character = fc
  .oneof(fc.nat(0x7f), fc.nat(0xffff), fc.nat(0x10ffff))
  .map((codePoint) => String.fromCodePoint(codePoint))
