// Flag types, with the values that the reader can set.
import { addressOf } from '../../../shared/rest-address.ts'
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
  is_question: boolean
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
  const known = reading.get(address) ?? get(address).finally(() => reading.delete(address))
  reading.set(address, known)
  return known
}

export function flagTypesCall(product: string, component: string) {
  return addressOf('/flag_type/:product/:component', { product, component })
}

/** The types of a product whose requests the reader can answer, by id, and whether each is a question. */
export async function answerableTypes(product: string): Promise<ReadonlyMap<number, boolean>> {
  const { bug, attachment } = await get(addressOf('/flag_type/:product', { product }))
  return new Map([...bug, ...attachment].filter(canAnswer).map(({ id, is_question }) => [id, is_question]))
}

/** A question is answered with a text, which clears the flag. Other requests are granted or denied. */
export function canAnswer({ values, is_question }: Pick<FlagType, 'values' | 'is_question'>) {
  return values.includes(is_question ? 'X' : '+')
}
