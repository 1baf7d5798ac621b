import type { ServerResponse } from 'node:http'
import { errors } from '../../errors.ts'

/** Counts the memory of all responses that are being made or sent. */
export interface MemoryBudget {
  /** `own` is what the same response has already. */
  hasRoomFor(caller: string, bytes: number, own?: number): boolean
  count(caller: string, bytes: number): void
}

/** What a response that is written as it is read takes: the text that is ready, and the rows of its next step. */
export const STREAMED_RESPONSE_BYTES = 2 * 1024 * 1024
const STEP_BYTES = 1024 * 1024
/** A response that is this short as a whole is not refused. */
const SHORT_STEP = 64 * 1024
const RETRY_SECONDS = 5

/** The memory of one response: counted before it is used, until the response is sent or its connection is closed. */
export class ResponseMemory {
  private held = 0
  private readonly budget: MemoryBudget
  private readonly response: ServerResponse
  private readonly caller: string

  constructor(budget: MemoryBudget, response: ServerResponse, caller: string) {
    this.budget = budget
    this.response = response
    this.caller = caller
    response.once('close', () => this.budget.count(caller, -this.held))
  }

  get bytes(): number {
    return this.held
  }

  /** Throws if the responses of this caller, or all, would take too much memory. Nobody waits for a response that is closed. */
  hold(bytes: number) {
    if (bytes > this.held && (this.response.closed || !this.budget.hasRoomFor(this.caller, bytes, this.held)))
      throw errors.responses_unread({ seconds: RETRY_SECONDS })
    this.count(bytes)
  }

  /** For the next step of a response that is written as it is read, instead of the step before. */
  holdStep(bytes: number) {
    if (this.held === 0 && bytes <= SHORT_STEP) return
    this.hold(STREAMED_RESPONSE_BYTES + Math.max(0, bytes - STEP_BYTES))
  }

  /** Counts it also if there is no room: for what is too short to be refused. */
  count(bytes: number) {
    if (this.response.closed) return
    this.budget.count(this.caller, bytes - this.held)
    this.held = bytes
  }
}

/** For work without a client. */
export const UNLIMITED_MEMORY: Pick<ResponseMemory, 'hold' | 'holdStep'> = { hold() {}, holdStep() {} }
