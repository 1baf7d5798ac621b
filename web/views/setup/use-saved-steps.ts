import { useEffect, useState } from 'preact/hooks'
import { addressOf } from '../../../shared/rest-address.ts'
import type { SetupStep } from '../../../shared/setup-steps.ts'
import { me, parameters } from '../../core/account/session.ts'
import { siteName } from '../../core/look.ts'
import { getOnce } from '../../core/server/rest.ts'
import { joinersOf, SAVED_CALL } from './saved-joining.ts'

const JOINERS_IN_WORDS = {
  invited: 'people join by invitation',
  domain: 'people of a domain join',
  everybody: 'everybody joins',
  other: 'some addresses join',
} as const

/** What the steps that are done have saved, in a few words; nothing for those that leave nothing to name. Read anew at each step. */
export function useSavedSteps(
  done: ReadonlySet<SetupStep>,
  now: SetupStep,
): Readonly<Partial<Record<SetupStep, string | undefined>>> {
  const [joining, setJoining] = useState<string>()
  const [products, setProducts] = useState<string>()
  useEffect(() => {
    // Without an answer the step says what it is about.
    if (done.has('joining')) readJoining().then(setJoining, () => {})
    if (done.has('product')) readProducts().then(setProducts, () => {})
  }, [done, now])
  const { urlbase = '', mailfrom = '' } = parameters.value
  return {
    joining,
    product: products,
    ...(done.has('administrator') && { administrator: me.value?.real_name }),
    ...(done.has('name') && { name: [siteName.value, hostIn(urlbase)].filter(Boolean).join(', ') }),
    ...(done.has('mail') && mailfrom !== '' && { mail: `from ${mailfrom}` }),
  }
}

async function readJoining() {
  const { requirelogin, createemailregexp = '' } = (await getOnce(SAVED_CALL)).parameters
  const readers = requirelogin === '1' ? 'only people with an account see bugs' : 'everybody sees bugs'
  return `${readers}, ${JOINERS_IN_WORDS[joinersOf(createemailregexp)]}`
}

const MOST_NAMED = 3

async function readProducts() {
  const { products } = await getOnce(addressOf('/product', { type: 'accessible', include_fields: 'name' }))
  const names = products.slice(0, MOST_NAMED).map((it) => it.name)
  return names.join(', ') + (products.length > MOST_NAMED ? ', …' : '')
}

function hostIn(address: string) {
  return URL.canParse(address) ? new URL(address).host : address
}
