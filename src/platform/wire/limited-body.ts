import { type Readable, Transform } from 'node:stream'

/** The same bytes, as long as they are not more than that; then the error instead of the rest. For a body that does not say how long it is. */
export function limitedBody(body: Readable, most: number, refusal: Error): Readable {
  let bytes = 0
  const limited = new Transform({
    transform(chunk: Buffer, _, done) {
      bytes += chunk.length
      if (bytes <= most) return done(null, chunk)
      // The rest is let in and forgotten, because a client that is still sending does not listen.
      body.unpipe(limited).resume()
      done(refusal)
    },
  })
  body.on('error', (fault) => limited.destroy(fault))
  body.on('close', () => {
    if (!body.readableEnded) limited.destroy()
  })
  return body.pipe(limited)
}
