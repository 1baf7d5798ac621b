import type { ServerResponse } from 'node:http'
import { LONGEST_REQUEST_MILLISECONDS, type ReadLimits } from '../platform/database/slow-reads/read-limits.ts'
import { partOfCaller } from '../platform/queues/caller-turns.ts'
import type { ChangeSource, NamedCaller } from '../platform/queues/current-caller.ts'
import type { Credentials } from '../platform/wire/call.ts'
import { type MemoryBudget, ResponseMemory } from '../platform/wire/http/response-memory.ts'
import { networkOf } from './authentication/real-address.ts'

interface Sent {
  credentials: Credentials
  query: Readonly<Record<string, unknown>>
  body: Readonly<Record<string, unknown>> | undefined
}

/** Who sent a request, as far as it is known: first the address of the connection, then the real one and the user. */
class Client implements NamedCaller {
  userId: number | null = null
  address: string
  /** What the request shows to log in, until it is checked: others at the same address do not wait for all of these. */
  unchecked = ''
  /** The user whom the same credentials have let in before: until they are checked, the request waits as one of theirs. */
  provenUserId: number | undefined = undefined
  source: ChangeSource | undefined = undefined

  constructor(address: string) {
    this.address = address
  }

  get name() {
    if (this.unchecked === '') return this.checkedName
    return this.provenUserId === undefined
      ? partOfCaller(this.checkedName, this.unchecked)
      : `user ${this.provenUserId}`
  }

  get checkedName() {
    return this.userId === null ? `address ${networkOf(this.address)}` : `user ${this.userId}`
  }
}

/** A request that is being answered: the fields of its log entry, and the limits of its slow reads. */
export class OpenRequest {
  readonly method: string
  /** The pattern of the path, without any text from the client; null for an unknown path. */
  readonly path: string | null
  readonly started = performance.now()
  /** Who waits in queues that are fair to callers. */
  readonly client: Client
  /** Whether a page of this server made the request. */
  isFromOwnPage = false
  /** Requests that an overloaded server refuses are counted, but have no line in the log. */
  isLogged = true
  /** What the client sent, whose secrets no message repeats. */
  sent: Sent | undefined
  /** A search that takes so many milliseconds counts as slow; 0 until the caller is known, and if none does. */
  slowAfter = 0
  /** What the response says about the rate limit of the caller. */
  limitHeaders: Readonly<Record<string, string>> = {}
  private readonly response: ServerResponse
  private limits: ReadLimits | undefined
  private readonly budget: MemoryBudget
  private held: ResponseMemory | undefined

  constructor(
    method: string,
    path: string | null,
    address: string,
    { response, budget }: { response: ServerResponse; budget: MemoryBudget },
  ) {
    this.method = method
    this.path = path
    this.client = new Client(address)
    this.response = response
    this.budget = budget
  }

  get userId() {
    return this.client.userId
  }

  set userId(id: number | null) {
    this.client.userId = id
  }

  get address() {
    return this.client.address
  }

  set address(address: string) {
    this.client.address = address
  }

  /** The same for all requests that share limits. */
  get caller(): string {
    return this.client.checkedName
  }

  /** Created on first use, because few requests have slow reads. All slow reads of the request share these limits. */
  get readLimits(): ReadLimits {
    this.limits ??= {
      caller: this.caller,
      deadline: this.started + LONGEST_REQUEST_MILLISECONDS,
      signal: this.signal(),
      spent: { milliseconds: 0 },
    }
    return this.limits
  }

  /** Of its response. Created on first use, when the caller is known. */
  get memory(): ResponseMemory {
    this.held ??= new ResponseMemory(this.budget, this.response, this.caller)
    return this.held
  }

  private signal(): AbortSignal {
    const controller = new AbortController()
    const { response } = this
    if (response.closed) controller.abort()
    response.once('close', () => {
      if (!response.writableFinished) controller.abort()
    })
    return controller.signal
  }
}
