/** A client of the REST API, with an API key. */
export class Tracker {
  readonly address: string
  private readonly apiKey: string

  constructor(address: string, apiKey: string) {
    this.address = address
    this.apiKey = apiKey
  }

  get(path: string) {
    return this.send('GET', path)
  }

  post(path: string, body: object) {
    return this.send('POST', path, body)
  }

  put(path: string, body: object) {
    return this.send('PUT', path, body)
  }

  delete(path: string) {
    return this.send('DELETE', path)
  }

  /** A refused request ends the demo: it means that the demo or the server has a bug. */
  private async send(method: string, path: string, body?: object): Promise<Answer> {
    const response = await fetch(`${this.address}/rest${path}`, {
      method,
      headers: { 'X-TRACKER-API-KEY': this.apiKey, Accept: 'application/json', 'Content-Type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    const answer = (await response.json()) as Answer & { message?: string }
    if (!response.ok) throw new Refused(`${method} /rest${path} was refused: ${answer.message}`)
    return answer
  }
}

export type Answer = Readonly<Record<string, unknown>>

export class Refused extends Error {}
