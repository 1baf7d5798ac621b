import type { ServerResponse } from 'node:http'
import type { HttpSocket } from './http-socket.ts'
import type { MemoryBudget, ResponseMemory } from './response-memory.ts'

export interface UnreadLimits {
  /** Bytes of responses that clients have not read yet, and that the server holds for them. */
  unreadBytes: number
  unreadBytesOfOneCaller: number
  /** A client that reads nothing for so long is disconnected. */
  standstillMilliseconds: number
}

interface UnreadResponse {
  readonly socket: HttpSocket | null
  readonly memory: Pick<ResponseMemory, 'bytes'>
  /** What the system had taken when it last took something, and when that was. */
  progress: string
  since: number
}

const LONGEST_ROUND_MILLISECONDS = 1000
/** From this part of the limit on, clients that stand still are disconnected early, the longest standstill first. */
const CROWDED = 0.5
const SHORT_STANDSTILL_MILLISECONDS = 5000

/** Counts the memory of responses until clients have read them, and disconnects clients that read nothing. */
export class UnreadResponses implements MemoryBudget {
  private readonly limits: UnreadLimits
  private readonly responses = new Set<UnreadResponse>()
  private readonly bytesByCaller = new Map<string, number>()
  private bytes = 0
  private cut = 0
  private timer: NodeJS.Timeout | undefined

  constructor(limits: UnreadLimits) {
    this.limits = limits
  }

  /** A caller without other responses may have one of any length that fits into the limit of all. */
  hasRoomFor(caller: string, bytes: number, own = 0): boolean {
    if (this.bytes - own + bytes > this.limits.unreadBytes) return false
    const others = (this.bytesByCaller.get(caller) ?? 0) - own
    return others === 0 || others + bytes <= this.limits.unreadBytesOfOneCaller
  }

  count(caller: string, bytes: number) {
    this.bytes += bytes
    const all = (this.bytesByCaller.get(caller) ?? 0) + bytes
    if (all === 0) this.bytesByCaller.delete(caller)
    else this.bytesByCaller.set(caller, all)
  }

  /** Watches the client of a response until it is sent, or its connection is closed. */
  watch(response: ServerResponse, memory: Pick<ResponseMemory, 'bytes'>) {
    if (response.closed) return
    const { socket } = response.req
    const it: UnreadResponse = { socket, memory, progress: progressOf(socket), since: performance.now() }
    this.responses.add(it)
    response.once('close', () => {
      this.responses.delete(it)
      if (this.responses.size > 0) return
      clearInterval(this.timer)
      this.timer = undefined
    })
    const round = Math.min(LONGEST_ROUND_MILLISECONDS, this.limits.standstillMilliseconds / 4)
    this.timer ??= setInterval(() => this.disconnectIdleReaders(), round).unref()
  }

  counts() {
    return { responses: this.responses.size, bytes: this.bytes, cut: this.cut }
  }

  private disconnectIdleReaders() {
    const now = performance.now()
    const still: UnreadResponse[] = []
    for (const it of this.responses) {
      const progress = progressOf(it.socket)
      if (progress !== it.progress || isWaitingForServer(it.socket)) Object.assign(it, { progress, since: now })
      else still.push(it)
    }
    let waiting = this.bytes
    for (const it of still.sort((one, other) => one.since - other.since)) {
      const isCrowded = waiting > this.limits.unreadBytes * CROWDED
      const most = isCrowded ? SHORT_STANDSTILL_MILLISECONDS : this.limits.standstillMilliseconds
      if (now - it.since < Math.min(most, this.limits.standstillMilliseconds)) continue
      waiting -= it.memory.bytes
      this.cut++
      it.socket?.destroy()
    }
  }
}

/** Everything that was written has left this process. */
function isWaitingForServer(socket: HttpSocket | null) {
  return socket === null || (socket.writableLength === 0 && (socket._httpMessage?.writableLength ?? 0) === 0)
}

/** Changes whenever the operating system takes bytes, also some of one large write. Bytes that arrive do not count. */
function progressOf(socket: HttpSocket | null): string {
  if (socket === null) return ''
  return `${socket.bytesWritten - socket.writableLength} ${socket._handle?.writeQueueSize ?? 0}`
}
