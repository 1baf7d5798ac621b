import { isTurnLong, laterTurn } from '../../monitoring/event-loop.ts'

const SLICE = 256 * 1024

/** The bytes of one field of a form, which may be long: it is decoded in slices. Empty if the form does not have the field. */
export async function formField(form: Buffer, name: string): Promise<Buffer> {
  const start = startOf(form, `${name}=`)
  if (start === -1) return Buffer.alloc(0)
  const end = form.indexOf('&', start)
  const encoded = form.subarray(start, end === -1 ? form.length : end)
  const decoded = Buffer.allocUnsafe(encoded.length)
  let length = 0
  for (let from = 0; from < encoded.length; ) {
    if (isTurnLong()) await laterTurn()
    const to = Math.min(encoded.length, from + SLICE)
    for (; from < to; from++) {
      const byte = encoded[from] as number
      const escaped =
        byte === PERCENT ? hexadecimal(encoded[from + 1]) * 16 + hexadecimal(encoded[from + 2]) : Number.NaN
      decoded[length++] = Number.isNaN(escaped) ? (byte === PLUS ? SPACE : byte) : escaped
      if (!Number.isNaN(escaped)) from += 2
    }
  }
  return decoded.subarray(0, length)
}

/** Where the value begins of the first field that begins so; -1 if there is none. */
function startOf(form: Buffer, beginning: string): number {
  if (form.subarray(0, beginning.length).toString('latin1') === beginning) return beginning.length
  const found = form.indexOf(`&${beginning}`)
  return found === -1 ? -1 : found + beginning.length + 1
}

const [PERCENT, PLUS, SPACE] = [0x25, 0x2b, 0x20]

function hexadecimal(byte: number | undefined): number {
  if (byte === undefined) return Number.NaN
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30
  const lower = byte | 0x20
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : Number.NaN
}
