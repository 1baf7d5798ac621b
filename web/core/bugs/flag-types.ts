// Flag types, with the values that the reader can set.
import { get } from '../server/rest.ts'

export interface FlagType {
  id: number
  name: string
  description: string
  /** What the reader can set a flag of this type to. */
  values: string[]
  is_active: boolean
  is_requesteeble: boolean
  is_multiplicable: boolean
}

/** Flag types of bugs and of their attachments. */
export interface FlagTypes {
  bug: FlagType[]
  attachment: FlagType[]
}

const reading = new Map<string, Promise<FlagTypes>>()

/** Those of a component. Several flags of one page ask for them at the same moment, in one request. */
export function readFlagTypes(product: string, component: string): Promise<FlagTypes> {
  const address = flagTypesCall(product, component)
  const known = reading.get(address) ?? get<FlagTypes>(address).finally(() => reading.delete(address))
  reading.set(address, known)
  return known
}

export function flagTypesCall(product: string, component: string) {
  return `/rest/flag_type/${encodeURIComponent(product)}/${encodeURIComponent(component)}`
}

/** The ids of the types of a product that the reader can grant and deny. */
export async function grantableTypes(product: string): Promise<ReadonlySet<number>> {
  const address = `/rest/flag_type/${encodeURIComponent(product)}?include_fields=id,values`
  const { bug, attachment } = await get<Record<keyof FlagTypes, Pick<FlagType, 'id' | 'values'>[]>>(address)
  return new Set([...bug, ...attachment].filter(canGrant).map(({ id }) => id))
}

export function canGrant({ values }: Pick<FlagType, 'values'>) {
  return values.includes('+')
}
