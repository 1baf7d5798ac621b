// What is shown instead of data: while it is loaded, if there is none, or if it was refused.
import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { me } from '../core/account/session.ts'
import { sentenceInOrder } from '../core/name-in-sentence.ts'
import { currentAddress, hrefOf } from '../core/router.ts'
import { isLoginRequired, NoConnection, RestError } from '../core/server/rest.ts'
import { Button } from './button.tsx'
import { Icon } from './icon.tsx'

interface EmptyProps {
  icon?: string
  title: string
  /** It is shown instead of a whole page, so that the title is its heading. */
  isPage?: boolean
  children?: ComponentChildren
}

export function Empty({ icon, title, isPage, children }: EmptyProps) {
  return (
    <div class="empty">
      {icon !== undefined && <Icon name={icon} />}
      {isPage ? <h1>{title}</h1> : <h2>{title}</h2>}
      {children}
    </div>
  )
}

const SHOWN_AFTER_MILLISECONDS = 150

/** A placeholder while data is loaded. It appears only if that takes long enough to be noticed. */
export function Skeleton({ rows = 6 }: { rows?: number }) {
  const [isShown, setShown] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), SHOWN_AFTER_MILLISECONDS)
    return () => clearTimeout(timer)
  }, [])
  if (!isShown) return <span hidden aria-busy="true" />
  return (
    <div class="page" aria-busy="true" role="status">
      <span class="visually-hidden">Loading</span>
      {Array.from({ length: rows }, (_, row) => (
        <p key={row}>
          <span class={`skeleton skeleton-${(row % 3) + 1}`} />
        </p>
      ))}
    </div>
  )
}

/** Why there is nothing to see, and what to do about it. */
export function Refused({ fault, retry, isPage = false }: { fault: Error; retry?(): void; isPage?: boolean }) {
  const wantsLogin =
    me.value === undefined && fault instanceof RestError && (fault.status === 401 || isLoginRequired(fault))
  const back = currentAddress.value.path + (currentAddress.value.query === '' ? '' : `?${currentAddress.value.query}`)
  return (
    <div class="page">
      <Empty
        icon={wantsLogin ? 'lock' : 'warn'}
        title={wantsLogin ? 'Log in to see this' : 'This cannot be shown'}
        isPage={isPage}
      >
        <p>{sentenceInOrder(fault.message)}</p>
        {wantsLogin && (
          <a class="button button-primary" href={hrefOf(`/login?to=${encodeURIComponent(back)}`)}>
            Log in
          </a>
        )}
        {fault instanceof NoConnection && retry !== undefined && <Button onClick={retry}>Try again</Button>}
      </Empty>
    </div>
  )
}

/** A whole page that cannot be shown. */
export function RefusedPage(props: { fault: Error; retry?(): void }) {
  return (
    <main id="main">
      <Refused {...props} isPage />
    </main>
  )
}

/** A whole page whose data is being loaded. */
export function LoadingPage() {
  return (
    <main id="main">
      <Skeleton />
    </main>
  )
}
