import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

/** What a browser and a passkey do differently from what the server expects. */
export interface Lies {
  origin?: string
  rpId?: string
  type?: string
  challenge?: string
  crossOrigin?: boolean
  isPresent?: boolean
  isVerified?: boolean
  counter?: number
  userHandle?: string | null
  /** In place of the authenticator data, which are then signed. */
  authenticatorData?: Buffer
  attestationObject?: Buffer
  id?: string
}

interface CreationOptions {
  challenge: string
  rp: { id: string }
  user: { id: string }
}

interface RequestOptions {
  challenge: string
  rpId: string
}

const [PRESENT, VERIFIED, CAN_BACK_UP, IS_BACKED_UP, HAS_KEY] = [1, 4, 8, 16, 64]

/** A passkey in software, with the page that uses it: WebAuthn with ES256. */
export class TestPasskey {
  readonly id = randomBytes(32).toString('base64url')
  counter = 0
  private readonly origin: string
  private readonly keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  private userHandle = ''

  constructor(origin: string) {
    this.origin = origin
  }

  /** The JSON that a page sends after navigator.credentials.create(). */
  create({ challenge, rp, user }: CreationOptions, lies: Lies = {}) {
    this.userHandle = user.id
    const { x = '', y = '' } = this.keys.publicKey.export({ format: 'jwk' })
    const [key, id] = [
      cborMap([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, bytesIn(x)],
        [-3, bytesIn(y)],
      ]),
      bytesIn(this.id),
    ]
    const attested = Buffer.concat([Buffer.alloc(16), uint(id.length, 2), id, key])
    const authData = lies.authenticatorData ?? Buffer.concat([this.dataFor(rp.id, HAS_KEY, lies), attested])
    const attestation = cborMap([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', authData],
    ])
    return {
      id: lies.id ?? this.id,
      rawId: this.id,
      type: 'public-key',
      clientExtensionResults: {},
      response: {
        clientDataJSON: this.clientData('webauthn.create', challenge, lies).toString('base64url'),
        attestationObject: (lies.attestationObject ?? attestation).toString('base64url'),
        transports: ['internal', 'hybrid', '<b>'],
      },
    }
  }

  /** The JSON that a page sends after navigator.credentials.get(). */
  get({ challenge, rpId }: RequestOptions, lies: Lies = {}) {
    const clientData = this.clientData('webauthn.get', challenge, lies)
    const data = lies.authenticatorData ?? this.dataFor(rpId, 0, { counter: this.counter, ...lies })
    const signature = sign('sha256', Buffer.concat([data, sha256(clientData)]), this.keys.privateKey)
    const userHandle = lies.userHandle === undefined ? this.userHandle : lies.userHandle
    return {
      id: lies.id ?? this.id,
      rawId: this.id,
      type: 'public-key',
      clientExtensionResults: {},
      response: {
        clientDataJSON: clientData.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: signature.toString('base64url'),
        ...(userHandle !== null && { userHandle }),
      },
    }
  }

  private clientData(expectedType: string, expected: string, lies: Lies) {
    const { type = expectedType, challenge = expected, origin = this.origin, crossOrigin = false } = lies
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin }))
  }

  private dataFor(expectedRpId: string, more: number, lies: Lies) {
    const { rpId = expectedRpId, isPresent = true, isVerified = true, counter = 0 } = lies
    const flags = more + CAN_BACK_UP + IS_BACKED_UP + (isPresent ? PRESENT : 0) + (isVerified ? VERIFIED : 0)
    return Buffer.concat([sha256(Buffer.from(rpId)), Buffer.from([flags]), uint(counter, 4)])
  }
}

type CborValue = number | string | Buffer | Map<unknown, unknown>

function cborMap(entries: readonly (readonly [CborValue, CborValue])[]): Buffer {
  return Buffer.concat([cborHead(5, entries.length), ...entries.flat().map(cbor)])
}

function cbor(value: CborValue): Buffer {
  if (typeof value === 'number') return value < 0 ? cborHead(1, -1 - value) : cborHead(0, value)
  if (value instanceof Map) return cborMap([])
  const bytes = Buffer.from(value as string)
  return Buffer.concat([cborHead(typeof value === 'string' ? 3 : 2, bytes.length), bytes])
}

function cborHead(kind: number, length: number): Buffer {
  if (length < 24) return Buffer.from([kind * 32 + length])
  return length < 256
    ? Buffer.from([kind * 32 + 24, length])
    : Buffer.concat([Buffer.from([kind * 32 + 25]), uint(length, 2)])
}

function uint(value: number, bytes: number): Buffer {
  const buffer = Buffer.alloc(bytes)
  buffer.writeUIntBE(value, 0, bytes)
  return buffer
}

function bytesIn(text: string) {
  return Buffer.from(text, 'base64url')
}

function sha256(bytes: Buffer) {
  return createHash('sha256').update(bytes).digest()
}
