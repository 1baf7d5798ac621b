import { Client } from '../client/client.ts'

/** A client of the REST API, with an API key. A refused request ends the demo: it means that the demo or the server has a bug. */
export class Tracker extends Client {
  readonly address: string

  constructor(address: string, apiKey: string) {
    super({ url: address, apiKey })
    this.address = address
  }
}
