import { addressOf } from '../../../../shared/rest-address.ts'
import { getOnce, put } from '../../../core/server/rest.ts'

/** A provider as the parameter sign_in_providers has it. Fields that the page does not show stay as they are. */
export interface Provider {
  name: string
  title: string
  issuer: string
  client_id: string
  client_secret: string
  domains: string[]
  creates_accounts: boolean
  trusts_addresses: boolean
  is_only: boolean
  is_disabled: boolean
}

export const PROVIDERS_CALL = addressOf('/admin/parameters', { name: 'sign_in_providers' })

export const NEW_PROVIDER: Provider = {
  name: '',
  title: '',
  issuer: '',
  client_id: '',
  client_secret: '',
  domains: [],
  creates_accounts: false,
  trusts_addresses: false,
  is_only: false,
  is_disabled: false,
}

export function providersIn(value: string): Provider[] {
  return value === '' ? [] : (JSON.parse(value) as Provider[])
}

/** The provider of the same name as the list has it now, if it differs; an error if it is gone. */
export function providerLike(seen: Provider, list: readonly Provider[]): Provider | undefined {
  const now = list.find(({ name }) => name === seen.name)
  if (now === undefined) throw new Error('Another administrator has removed it meanwhile. Nothing is saved.')
  return JSON.stringify(now) === JSON.stringify(seen) ? undefined : now
}

/** Changes the list as it is now, and is refused if somebody else changes it meanwhile. Hidden secrets are sent back hidden. */
export async function changeProviders(change: (list: readonly Provider[]) => Provider[]) {
  const { version, parameters } = await getOnce(PROVIDERS_CALL)
  const list = change(providersIn(parameters[0]?.value ?? ''))
  await put('/parameters', { sign_in_providers: JSON.stringify(list) }, { 'If-Match': `"${version}"` })
}
