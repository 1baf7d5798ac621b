import { addressOf } from '../../../shared/rest-address.ts'
import { remove } from '../../core/server/rest.ts'
import { useData } from '../../core/server/use-data.ts'
import { showResult } from '../../core/toasts.ts'
import { LinkRow, type ProviderLink } from '../settings/providers.tsx'

/** For administrators: the other services through which a user can log in. */
export function Services({ id }: { id: number }) {
  const { body, reload } = useData(addressOf('/user/:ref/provider', { ref: id }))
  const links = body?.links ?? []
  if (links.length === 0) return null
  const unlink = (link: ProviderLink) =>
    showResult(
      () => remove('/user/:ref/provider/:id', { ref: id, id: link.id }),
      `The link with ${link.title} is removed.`,
      reload,
    )
  return (
    <section class="section stack" aria-label="Other services">
      <div class="section-head">
        <h2>Logs in through other services</h2>
      </div>
      <ul class="card rows">
        {links.map((link) => (
          <LinkRow key={link.id} link={link} onRemove={() => void unlink(link)} />
        ))}
      </ul>
    </section>
  )
}
