import { Readable } from 'node:stream'
import { isTurnLong, laterTurn } from '../../monitoring/event-loop.ts'
import { madeAsCurrentCaller } from '../../queues/current-caller.ts'
import { STREAMED_RESPONSE_BYTES } from '../http/response-memory.ts'
import { isLongerThan, jsonSlices, LONG_ANSWER, textSlices } from './json-slices.ts'
import { WrittenJson } from './json-text.ts'

type Pieces = AsyncIterable<string> | Iterable<string>

/**
 * A JSON response that is written piece by piece, so that a long one needs no more memory than a short one and delays
 * no other requests.
 */
export class JsonPieces {
  /** The memory of what the pieces are made from, until the last is made. */
  readonly sourceBytes: number
  private readonly pieces: () => Pieces

  constructor(pieces: () => Pieces, sourceBytes = 0) {
    this.pieces = pieces
    this.sourceBytes = sourceBytes
  }

  /** Streams the pieces, each transformed by `fit`, between `before` and `after`. */
  async open({ before = '', after = '', fit = (piece: string) => piece }: Partial<Around> = {}): Promise<Readable> {
    const { pieces } = this
    const written = async function* () {
      if (before !== '') yield before
      for await (const piece of pieces())
        for (const slice of textSlices(piece)) {
          if (isTurnLong()) await laterTurn()
          const text = fit(slice)
          if (text !== '') yield text
        }
      if (after !== '') yield after
    }
    // Pieces that are ready before they are read take memory.
    return Readable.from(madeAsCurrentCaller(written()), { highWaterMark: 1 })
  }
}

/**
 * Returns a short result as a whole. A long one stays in pieces, of which the first are already written; it is refused before that if there
 * is no memory for it.
 */
export async function wholeOrPieces(
  pieces: AsyncGenerator<string>,
  memory: { hold(bytes: number): void },
): Promise<WrittenJson | JsonPieces> {
  let text = ''
  let isHeld = false
  for (;;) {
    const { value, done } = await pieces.next()
    if (done) return new WrittenJson(text)
    text += value
    if (text.length > SHORT_ANSWER && !isHeld) {
      isHeld = true
      memory.hold(STREAMED_RESPONSE_BYTES)
    }
    if (text.length > LONG_ANSWER) return piecesAfter({ text }, pieces)
    if (text.length > SHORT_ANSWER && isTurnLong()) await laterTurn()
  }
}

/** The same for a text that is already written. */
export function wholeText(text: string, memory: { hold(bytes: number): void }): WrittenJson {
  if (text.length > SHORT_ANSWER) memory.hold(STREAMED_RESPONSE_BYTES)
  return new WrittenJson(text)
}

const SHORT_ANSWER = 64 * 1024

/** What was written before is not kept while the rest is read. */
async function* continued(written: { text: string }, pieces: AsyncIterable<string>) {
  yield* textSlices(takeText(written))
  yield* pieces
}

function piecesAfter(written: { text: string }, pieces: AsyncGenerator<string>) {
  return new JsonPieces(() => continued(written, pieces))
}

function takeText(written: { text: string }) {
  const { text } = written
  written.text = ''
  return text
}

/** The JSON of a value that may be long. */
export async function jsonInSlices(value: unknown): Promise<string> {
  if (!isLongerThan(value, LONG_ANSWER)) return JSON.stringify(value)
  let text = ''
  for (const slice of jsonSlices(value)) {
    if (isTurnLong()) await laterTurn()
    text += slice
  }
  return text
}

/** The text around the pieces, and how each of them is transformed. */
interface Around {
  before: string
  after: string
  fit(piece: string): string
}
