import { WHOAMI_CALL } from '../../../shared/first-calls.ts'
import { useData } from '../../core/server/use-data.ts'

/** The groups that one is in, and what each is for. */
export function OwnGroups() {
  const { body } = useData(WHOAMI_CALL)
  if (body === undefined) return null
  return (
    <section class="stack" aria-label="Groups">
      <h2>Groups that you are in</h2>
      {body.groups.length === 0 ? (
        <p class="muted">None: you may do what everybody with an account may do.</p>
      ) : (
        <ul class="card rows">
          {body.groups.map(({ id, name, description }) => (
            <li key={id}>
              <span>
                <b dir="auto">{name}</b>{' '}
                <span class="muted" dir="auto">
                  {description}
                </span>
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
