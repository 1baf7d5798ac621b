// The second factors of the reader.
import { addressOf } from '../../../shared/rest-address.ts'
import { useData } from '../server/use-data.ts'

export interface Factor {
  id: number
  kind: 'totp' | 'passkey'
  name: string
  host: string | null
  transports: string[] | null
  is_multi_device: boolean | null
  is_backed_up: boolean | null
  created_at: string
  last_used: string | null
}

/** Users who log in only through a provider or with a passkey have no password that they could type. */
export function useHasPassword(): boolean {
  return useData(addressOf('/factor')).body?.has_password ?? true
}

/** Whether it is a passkey for the host of this page. Passkeys of other hosts cannot be used here. */
export function isUsableHere({ kind, host }: Factor) {
  return kind === 'passkey' && host === location.hostname
}

/** What it is, in a few words. */
export function kindOf({ kind, host, is_backed_up, is_multi_device }: Factor): string {
  if (kind === 'totp') return 'authenticator app'
  if (host !== location.hostname) return `passkey for ${host}, which does not work at this address`
  if (is_backed_up) return 'passkey, shared by your devices'
  return is_multi_device ? 'passkey that devices can share' : 'passkey on one device'
}
