import { RestError } from '../../client/index.ts'
import { bodyIn } from '../../client/rest-error.ts'
import { onOneLine } from '../text/clean-text.ts'
import { CommandFailure } from './command-failure.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'
import { StrangeAnswer } from './strange-answer.ts'

/** Wrong or missing credentials; Bugzilla has the same numbers. */
const NOT_SIGNED_IN: ReadonlySet<number> = new Set([300, 301, 305, 306, 307, 308, 310, 311, 312, 313, 315, 410])
/** No such bug or alias, or one that the caller may not see; and other objects. */
const NOT_FOUND: ReadonlySet<number> = new Set([51, 100, 101, 102])
const NO_SUCH_CALL = 32614
/** Bugzilla sends it with status 200. */
const SERVER_FAULT = 100500
const CHANGED_MEANWHILE = 412
const TOO_MANY_REQUESTS = 429
const LONGEST_SENTENCE = 2000

interface FailureOptions {
  readonly isLoggingIn?: boolean
}

/** The failure for what a request threw. */
export function failureFor(fault: unknown, server: string, options: FailureOptions = {}): CommandFailure {
  if (fault instanceof CommandFailure) return fault
  if (fault instanceof RestError) {
    if (isMissingCall(fault))
      return new CommandFailure(`${server} does not have this: ${messageOf(fault)}`, EXIT.notOnThisServer)
    const reason = typeof fault.reason === 'string' ? fault.reason : undefined
    return new CommandFailure(sentenceOf(fault, options), exitCodeOf(fault), reason)
  }
  const { name, message, cause } = fault as Error & { cause?: Error & { code?: string } }
  if (name === 'TimeoutError') return new CommandFailure(`${server} did not answer in time.`, EXIT.unreachable)
  if (fault instanceof TypeError && cause !== undefined)
    return new CommandFailure(`${server} cannot be reached: ${networkSentence(cause)}.`, EXIT.unreachable)
  // What is not in the answer was read from it, or it is nested too deeply.
  const isStrange = fault instanceof TypeError || fault instanceof RangeError || fault instanceof StrangeAnswer
  if (!isStrange) return new CommandFailure(message)
  const why = fault instanceof StrangeAnswer ? `: ${message}` : ''
  return new CommandFailure(`${server} answered something that is not understood${why}.`, EXIT.unreachable)
}

/** The exit code for a refusal with this body. */
export function exitCodeFor(status: number, text: string): ExitCode {
  try {
    bodyIn(status, text)
    return EXIT.done
  } catch (fault) {
    return failureFor(fault, '').exitCode
  }
}

function exitCodeOf({ status, code }: RestError): ExitCode {
  if (status === CHANGED_MEANWHILE) return EXIT.changedMeanwhile
  if (NOT_SIGNED_IN.has(code)) return EXIT.notSignedIn
  if (NOT_FOUND.has(code)) return EXIT.notFound
  if (status >= 500 || status === TOO_MANY_REQUESTS || code === 0 || code === SERVER_FAULT) return EXIT.unreachable
  return EXIT.refused
}

function sentenceOf(fault: RestError, { isLoggingIn = false }: FailureOptions) {
  const text = messageOf(fault)
  return isNotSignedIn(fault) && fault.code !== 308 && !isLoggingIn ? `${text} (Sign in with: lacewing login)` : text
}

/** A server may send anything as its message. */
function messageOf({ message, status }: RestError): string {
  if (typeof message !== 'string' || message === '') return `The server refused with status ${status}.`
  return message.length > LONGEST_SENTENCE ? `${message.slice(0, LONGEST_SENTENCE)}…` : message
}

export function isNotSignedIn({ code }: RestError): boolean {
  return NOT_SIGNED_IN.has(code)
}

/** Whether the server has no call of this name: a Bugzilla, or an older release. */
export function isMissingCall(fault: unknown): boolean {
  return fault instanceof RestError && (fault.code === NO_SUCH_CALL || (fault.status === 404 && fault.code === 0))
}

/** What only some servers have: says plainly that this one does not. */
export async function orNotHere<Result>(answer: Promise<Result>, server: string, what: string): Promise<Result> {
  try {
    return await answer
  } catch (fault) {
    if (!isMissingCall(fault)) throw fault
    throw new CommandFailure(`${server} does not have ${what}.`, EXIT.notOnThisServer)
  }
}

const NETWORK: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'it refuses connections',
  ECONNRESET: 'it closed the connection',
  UND_ERR_SOCKET: 'it closed the connection',
  ENOTFOUND: 'there is no host of this name',
  EAI_AGAIN: 'the name of the host cannot be resolved now',
  ETIMEDOUT: 'the connection timed out',
  UND_ERR_CONNECT_TIMEOUT: 'the connection timed out',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed; name it in NODE_EXTRA_CA_CERTS',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is self-signed; name it in NODE_EXTRA_CA_CERTS',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it does not speak https there',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'it does not speak https there',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate cannot be verified; name its authority in NODE_EXTRA_CA_CERTS',
}

function networkSentence({ code = '', message }: Error & { code?: string }) {
  return (Object.hasOwn(NETWORK, code) ? NETWORK[code] : undefined) ?? onOneLine(message || code)
}
