import { ACCOUNT_RULES_CALL } from '../../../shared/first-calls.ts'
import { addressOf } from '../../../shared/rest-address.ts'
import { beginSignIn } from '../../core/account/provider-sign-in.ts'
import { me } from '../../core/account/session.ts'
import { remove } from '../../core/server/rest.ts'
import { useData } from '../../core/server/use-data.ts'
import { showFault, showResult } from '../../core/toasts.ts'
import { Button } from '../../parts/button.tsx'
import { Times } from './times.tsx'

export interface ProviderLink {
  id: number
  name: string | null
  title: string
  subject: string
  created_at: string
  last_used: string
}

/** The providers of OpenID Connect through which the reader can log in. They can link others, and remove links. */
export function Providers() {
  const { body: rules } = useData(ACCOUNT_RULES_CALL)
  const { body, reload } = useData(addressOf('/user/:ref/provider', { ref: me.value?.id }))
  const links = body?.links ?? []
  const others = (rules?.providers ?? []).filter(({ name }) => !links.some((link) => link.name === name))
  if (body === undefined || links.length + others.length === 0) return null
  const unlink = ({ id, title }: ProviderLink) =>
    showResult(
      () => remove('/user/:ref/provider/:id', { ref: me.value?.id ?? '', id }),
      `You can no longer log in through ${title}.`,
      reload,
    )
  return (
    <section class="stack" aria-label="Other services">
      <h2>Log in through other services</h2>
      {links.length > 0 && (
        <ul class="card rows">
          {links.map((link) => (
            <LinkRow key={link.id} link={link} onRemove={() => unlink(link)} />
          ))}
        </ul>
      )}
      {others.length > 0 && (
        <div class="factor-buttons">
          {others.map(({ name, title }) => (
            <Button key={name} onClick={() => beginSignIn(name, '/settings/factors').catch(showFault)}>
              Link with {title}
            </Button>
          ))}
        </div>
      )}
    </section>
  )
}

/** A link, with a button that removes it. */
export function LinkRow({ link, onRemove }: { link: ProviderLink; onRemove(): void }) {
  return (
    <li class="bug-row">
      <span class="grow">
        <b dir="auto">{link.title}</b>
        <Times verb="linked" created={link.created_at} lastUsed={link.last_used} />
      </span>
      <Button size="small" onClick={onRemove}>
        Unlink<span class="visually-hidden"> {link.title}</span>
      </Button>
    </li>
  )
}
