import { type TSchema, Type } from '@sinclair/typebox'
import { errors } from '../../platform/errors.ts'
import { type Param, required } from '../../platform/wire/params.ts'

/** What all answers of a browser have in common. */
interface Answer {
  id: string
  clientDataJSON: string
  /** From clientDataJSON. */
  challenge: string
}

/** The answer of navigator.credentials.create(). */
export interface NewCredential extends Answer {
  attestationObject: string
  transports: string[]
}

/** The answer of navigator.credentials.get(). */
export interface PasskeyAnswer extends Answer {
  authenticatorData: string
  signature: string
  /** Undefined if the passkey does not store its user. */
  userHandle: string | undefined
}

/** The longest values in base64url, each far longer than that of any passkey. */
const LONGEST = {
  id: 1_364,
  clientDataJSON: 4_000,
  attestationObject: 16_000,
  authenticatorData: 4_000,
  signature: 2_000,
  userHandle: 100,
} as const
const MOST_TRANSPORTS = 10

const base64urlText = (name: keyof typeof LONGEST) =>
  Type.String({ maxLength: LONGEST[name], description: 'In base64url.' })
const optional = <Schema extends TSchema>(schema: Schema) => Type.Optional(Type.Union([schema, Type.Null()]))

export const newCredential: Param<NewCredential> = required({
  about: 'The answer of navigator.credentials.create(), as its toJSON() returns it.',
  schema: credentialSchema({
    clientDataJSON: base64urlText('clientDataJSON'),
    attestationObject: base64urlText('attestationObject'),
    transports: optional(Type.Array(Type.String(), { maxItems: MOST_TRANSPORTS })),
  }),
  isRequired: true,
  read(name, value) {
    const { response, ...answer } = readAnswer(name, value)
    const transports = Array.isArray(response.transports) ? response.transports : []
    if (transports.length > MOST_TRANSPORTS)
      throw errors.bad_value({ name, value: '…', right: `its transports must have at most ${MOST_TRANSPORTS} items` })
    return {
      ...answer,
      attestationObject: readBytes(name, response, 'attestationObject'),
      transports: transports.filter(isTransport),
    }
  },
})

export const passkeyAnswer: Param<PasskeyAnswer | undefined> = {
  about: 'The answer of navigator.credentials.get(), as its toJSON() returns it.',
  schema: credentialSchema({
    clientDataJSON: base64urlText('clientDataJSON'),
    authenticatorData: base64urlText('authenticatorData'),
    signature: base64urlText('signature'),
    userHandle: optional(base64urlText('userHandle')),
  }),
  isRequired: false,
  read(name, value) {
    if (value === undefined || value === null) return undefined
    const { response, ...answer } = readAnswer(name, value)
    return {
      ...answer,
      authenticatorData: readBytes(name, response, 'authenticatorData'),
      signature: readBytes(name, response, 'signature'),
      userHandle:
        response.userHandle == null || response.userHandle === '' ? undefined : readBytes(name, response, 'userHandle'),
    }
  },
}

function credentialSchema(response: Record<string, TSchema>) {
  return Type.Object({ id: base64urlText('id'), type: Type.Literal('public-key'), response: Type.Object(response) })
}

function readAnswer(name: string, value: unknown): Answer & { response: Record<string, unknown> } {
  const sent = requireObject(name, value)
  const response = requireObject(name, sent.response)
  if (sent.type !== 'public-key') throw wrong(name)
  const clientDataJSON = readBytes(name, response, 'clientDataJSON')
  return {
    id: readBytes(name, sent, 'id'),
    clientDataJSON,
    challenge: challengeIn(clientDataJSON) ?? refuse(name),
    response,
  }
}

function readBytes(name: string, sent: Record<string, unknown>, part: keyof typeof LONGEST): string {
  const value = sent[part]
  if (typeof value !== 'string' || value.length > LONGEST[part] || !/^[\w-]+$/.test(value)) throw wrong(name)
  return value
}

function challengeIn(clientDataJSON: string): string | undefined {
  try {
    const { challenge } = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString()) as { challenge?: unknown }
    return typeof challenge === 'string' ? challenge : undefined
  } catch {
    return undefined
  }
}

function requireObject(name: string, value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw wrong(name)
  return value as Record<string, unknown>
}

/** Such as `usb` or `smart-card`. */
function isTransport(value: unknown): value is string {
  return typeof value === 'string' && /^[a-z-]{1,20}$/.test(value)
}

function refuse(name: string): never {
  throw wrong(name)
}

/** The answer itself is not repeated: it is a proof of who the user is. */
function wrong(name: string) {
  return errors.bad_value({
    name,
    value: '…',
    right: 'it must be the answer of a passkey as JSON, with its bytes in base64url',
  })
}
