import { ALL_PRODUCTS_CALL, STATUS_CALL } from '../../../shared/first-calls.ts'
import { parameters } from '../../core/account/session.ts'
import { hrefOf } from '../../core/router.ts'
import { useData } from '../../core/server/use-data.ts'
import { Icon } from '../../parts/icon.tsx'

/** The sender that a new installation has. */
const FIRST_SENDER = 'lacewing@localhost'

/** The product that a new installation has, to try filing. */
const FIRST_PRODUCT = 'TestProduct'

interface Step {
  address: string
  title: string
  words: string
  isDone: boolean
}

/** For the administrator of an installation without bugs. */
export function FirstSteps() {
  const { body } = useData(ALL_PRODUCTS_CALL)
  const products = (body?.products ?? []).filter(({ name }) => name !== FIRST_PRODUCT)
  const hasProduct = products.some(({ components }) => components.length > 0)
  const { body: status } = useData(STATUS_CALL)
  const hasMailServer = status?.warnings.every(({ name }) => name !== 'no_mail_server') ?? false
  const sender = parameters.value.mailfrom ?? FIRST_SENDER
  const steps: Step[] = [
    {
      address: '/admin/products',
      title: 'Create a product',
      words: 'Bugs are filed against the components of a product.',
      isDone: hasProduct,
    },
    {
      address: '/admin/people',
      title: 'Invite people',
      words: 'Create their accounts, and decide who may change bugs.',
      isDone: (status?.counts.users ?? 1) > 1,
    },
    {
      address: '/admin/mail',
      title: 'Set mail',
      words: 'The server that takes it, who it comes from, and where its links lead.',
      isDone: hasMailServer && sender !== FIRST_SENDER,
    },
    { address: '/file', title: 'File the first bug', words: 'Then this list goes away.', isDone: false },
  ]
  return (
    <section aria-labelledby="first" class="card first-steps">
      <h2 id="first">First steps</h2>
      <ol>
        {steps.map(({ address, title, words, isDone }) => (
          <li key={address}>
            <a class="link underlined" href={hrefOf(address)}>
              {title}
            </a>{' '}
            {isDone && (
              <span class="good">
                <Icon name="check" size="small" />
                <span class="visually-hidden">Done</span>
              </span>
            )}{' '}
            <span class="muted">{words}</span>
          </li>
        ))}
      </ol>
    </section>
  )
}
