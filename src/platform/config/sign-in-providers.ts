import { HIDDEN_SECRET } from './hidden.ts'

/** A provider of OpenID Connect, as the parameter sign_in_providers has it. */
export interface SignInProvider {
  /** Part of addresses. */
  name: string
  /** What the button says. */
  title: string
  issuer: string
  client_id: string
  client_secret: string
  scopes: string
  /** The claim that contains the address of the user. */
  address_claim: string
  /** Addresses count as verified although the provider does not say so in email_verified. */
  trusts_addresses: boolean
  /** Only addresses of these domains are linked or get accounts; empty allows all. */
  domains: string[]
  creates_accounts: boolean
  /** Users with an address of the domains cannot log in with a password. */
  is_only: boolean
  /** Nobody can log in through it, and it takes no password away. */
  is_disabled: boolean
  groups_claim: string
  /** The group here for each value of the claim. */
  groups: Record<string, string>
}

const DEFAULTS = {
  client_secret: '',
  scopes: 'openid email profile',
  address_claim: 'email',
  trusts_addresses: false,
  domains: [],
  creates_accounts: false,
  is_only: false,
  is_disabled: false,
  groups_claim: 'groups',
  groups: {},
} as const

const REQUIRED = ['name', 'title', 'issuer', 'client_id'] as const
const MOST_PROVIDERS = 20
const LONGEST = 10_000

/** The providers in a valid value. It is parsed once, because it seldom changes. */
export function providersIn(text: string): readonly SignInProvider[] {
  if (parsed?.text !== text) parsed = { text, list: text === '' ? [] : (JSON.parse(text) as SignInProvider[]) }
  return parsed.list
}

let parsed: { text: string; list: readonly SignInProvider[] } | undefined

export function findProvider(text: string, name: string): SignInProvider | undefined {
  return providersIn(text).find((provider) => provider.name === name)
}

/** The provider through which the user with this address must log in, if there is one. */
export function onlyProviderFor(text: string, address: string): SignInProvider | undefined {
  return providersIn(text).find(
    (provider) => provider.is_only && !provider.is_disabled && isOfDomains(provider, address),
  )
}

export function isOfDomains({ domains }: SignInProvider, address: string): boolean {
  const domain = address
    .slice(address.lastIndexOf('@') + 1)
    .toLowerCase()
    .replace(/\.+$/, '')
  return domains.some((allowed) => allowed.toLowerCase() === domain)
}

/** What is wrong with a value of the parameter. */
export function faultInProviders(text: string): string | undefined {
  if (text === '') return undefined
  if (text.length > LONGEST) return `it must have at most ${LONGEST} characters`
  const list = jsonIn(text)
  if (!Array.isArray(list) || list.length > MOST_PROVIDERS)
    return `it must be a JSON list of at most ${MOST_PROVIDERS} providers, or empty`
  const names = new Set(list.map((it) => it?.name))
  if (names.size !== list.length) return 'each provider must have its own name'
  return list.map(faultInProvider).find((fault) => fault !== undefined)
}

function faultInProvider(it: Record<string, unknown> | null): string | undefined {
  if (typeof it !== 'object' || it === null || Array.isArray(it)) return 'each provider must be a JSON object'
  const known = [...REQUIRED, ...Object.keys(DEFAULTS)]
  const unknown = Object.keys(it).find((key) => !known.includes(key))
  if (unknown !== undefined) return `a provider has the fields ${known.join(', ')}`
  if (typeof it.name !== 'string' || !/^[a-z0-9-]{1,30}$/.test(it.name))
    return 'the name of a provider must have 1 to 30 small letters, digits or hyphens'
  for (const key of REQUIRED)
    if (typeof it[key] !== 'string' || it[key] === '') return `the provider ${it.name} needs ${key}`
  return faultInFields(it, it.name) ?? faultInIssuer(String(it.issuer), it.name)
}

function faultInFields(it: Record<string, unknown>, name: string): string | undefined {
  for (const [key, shipped] of Object.entries(DEFAULTS)) {
    const value = it[key] ?? shipped
    if (Array.isArray(shipped) ? !isTexts(value) : typeof value !== typeof shipped || Array.isArray(value))
      return `${key} of the provider ${name} must be ${Array.isArray(shipped) ? 'a list of texts' : `a ${typeof shipped}`}`
  }
  if (!isTexts(Object.values((it.groups as object) ?? {}))) return `groups of the provider ${name} must be texts`
  if (it.is_only === true && ((it.domains as string[]) ?? []).length === 0)
    return `is_only of the provider ${name} needs domains`
  return undefined
}

function isTexts(value: unknown) {
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
}

/** Only a provider on this machine is reached without TLS. */
function faultInIssuer(issuer: string, name: string): string | undefined {
  const url = URL.canParse(issuer) ? new URL(issuer) : undefined
  const isLocal = url?.protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)
  return url?.protocol === 'https:' || isLocal ? undefined : `issuer of the provider ${name} must begin with https://`
}

/** The value as it is stored: with all fields, and with the stored secret where the hidden one was sent back. */
export function storedProviders(text: string, before: string): string {
  if (text === '') return ''
  const stored = (jsonIn(text) as SignInProvider[]).map((it) => {
    const old = findProvider(before, it.name)
    const isSame = it.client_secret === HIDDEN_SECRET && old?.issuer === it.issuer
    return { ...DEFAULTS, ...it, ...(isSame && { client_secret: old.client_secret }) }
  })
  return JSON.stringify(stored)
}

/** The value with the new name of a group in the mappings; the same text if no mapping names the group. */
export function withRenamedGroup(text: string, from: string, to: string): string {
  const list = providersIn(text)
  if (!list.some(({ groups }) => Object.values(groups).includes(from))) return text
  const renamed = ([value, name]: [string, string]) => [value, name === from ? to : name]
  return JSON.stringify(
    list.map((it) => ({ ...it, groups: Object.fromEntries(Object.entries(it.groups).map(renamed)) })),
  )
}

/** The value without secrets. */
export function shownProviders(text: string): string {
  if (text === '' || faultInProviders(text) !== undefined) return text === '' ? '' : HIDDEN_SECRET
  const shown = providersIn(text).map((it) => ({ ...it, ...(it.client_secret && { client_secret: HIDDEN_SECRET }) }))
  return JSON.stringify(shown)
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
