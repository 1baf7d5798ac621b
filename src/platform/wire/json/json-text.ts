import { hash } from 'node:crypto'

/** A response that is JSON already and may be sent again and again: its bytes and their digest are computed once. */
export class JsonText {
  readonly bytes: Buffer
  private digest: string | undefined

  constructor(text: string) {
    this.bytes = Buffer.from(text)
  }

  get etag() {
    this.digest ??= etagOfBytes(this.bytes)
    return this.digest
  }

  toString() {
    return this.bytes.toString()
  }
}

export function etagOfBytes(bytes: string | Buffer) {
  return `"${hash('sha1', bytes, 'base64url')}"`
}

/** A response that is JSON already, for one request. */
export class WrittenJson {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  toString() {
    return this.text
  }
}

/** The JSON of a response of roughly this length. A long one is returned unchanged, to be written in slices. */
export function jsonOfAbout(characters: number, answer: object): WrittenJson | object {
  return isWrittenAtOnce(characters) ? new WrittenJson(JSON.stringify(answer)) : answer
}

/** Whether writing a response of roughly this length does not delay other requests. */
export function isWrittenAtOnce(characters: number): boolean {
  return characters <= WRITTEN_AT_ONCE
}

const WRITTEN_AT_ONCE = 100_000
