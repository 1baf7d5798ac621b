import { hrefOf } from '../core/router.ts'
import { useTitle } from '../core/title.ts'
import { Empty } from '../parts/states.tsx'

export function View() {
  useTitle('No such page')
  return (
    <main id="main" class="page">
      <Empty icon="help" title="There is no page at this address" isPage>
        <p>
          Search above, or go{' '}
          <a class="link" href={hrefOf('/')}>
            home
          </a>
          .
        </p>
      </Empty>
    </main>
  )
}
