import { Readable } from 'node:stream'

/** An answer of JSON that is written piece by piece, so that a long one needs no more memory than a short one. */
export class JsonPieces {
  private readonly pieces: () => AsyncIterable<string>

  constructor(pieces: () => AsyncIterable<string>) {
    this.pieces = pieces
  }

  /** The pieces, each made fit for where it goes, between what stands around them there. */
  async open(before = '', after = '', fit: (piece: string) => string = (piece) => piece): Promise<Readable> {
    const { pieces } = this
    return Readable.from(
      (async function* () {
        if (before !== '') yield before
        for await (const piece of pieces()) yield fit(piece)
        if (after !== '') yield after
      })(),
    )
  }

  /** All of it at once, for a form that cannot be written in pieces. */
  async whole(): Promise<unknown> {
    let text = ''
    for await (const piece of this.pieces()) text += piece
    return JSON.parse(text)
  }
}
