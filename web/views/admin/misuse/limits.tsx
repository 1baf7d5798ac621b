import { addressOf } from '../../../../shared/rest-address.ts'
import { hrefOf } from '../../../core/router.ts'
import { useData } from '../../../core/server/use-data.ts'
import type { Parameter } from '../parameters/parameter.ts'

/** The group of the parameters that limit new accounts and callers without a login. */
const GROUP = 'Misuse'

/** What is limited now. It is changed where all parameters are. */
export function Limits() {
  const { body } = useData(addressOf('/admin/parameters'))
  const limits = body?.parameters.filter(({ group }) => group === GROUP) ?? []
  if (limits.length === 0) return null
  return (
    <section class="stack" aria-label="Limits">
      <h2>Limits</h2>
      <ul class="card rows">
        {limits.map((parameter) => (
          <li key={parameter.name} class="misuse-item row">
            <div class="grow">
              <a class="link" href={hrefOf(`/admin/parameters?search=${encodeURIComponent(parameter.name)}`)}>
                {parameter.title}
              </a>
              <div class="muted small">{parameter.about}</div>
            </div>
            <b>{valueInWords(parameter)}</b>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** The denied words are counted: the list may be long, and is not for everybody who looks at the screen. */
function valueInWords({ name, value }: Parameter) {
  if (name !== 'new_account_denied') return value === '0' && name !== 'new_account_days' ? 'no limit' : value
  const lines = value.split('\n').filter((line) => line.trim() !== '').length
  return lines === 0 ? 'none' : `${lines.toLocaleString()} in the list`
}
