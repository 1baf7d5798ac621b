import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { me } from '../../core/account/session.ts'
import { hrefOf } from '../../core/router.ts'
import { Button } from '../button.tsx'
import { TextField } from '../field.tsx'
import { FormFault } from '../form-fault.tsx'
import { Icon } from '../icon.tsx'
import { Logo } from '../logo.tsx'
import { useSubmit } from '../use-submit.ts'

/** The frame of the pages about accounts for readers who are not logged in: one narrow form. */
export function AccountPage({
  title,
  about,
  hasLogin = false,
  destination = '/',
  children,
}: {
  title: string
  about?: string | undefined
  /** Whether the form itself is for logging in. */
  hasLogin?: boolean
  /** Where the reader wanted to go. */
  destination?: string
  children: ComponentChildren
}) {
  return (
    <main id="main" class="login">
      <div class="login-column">
        <div class="login-brand">
          <Logo />
          <h1>{title}</h1>
          {about !== undefined && <p class="muted">{about}</p>}
        </div>
        {children}
        {!hasLogin && <WayOn destination={destination} />}
      </div>
    </main>
  )
}

function WayOn({ destination }: { destination: string }) {
  const isAway = destination !== '/'
  if (me.value !== undefined && !isAway) return null
  const login = isAway ? `/login?to=${encodeURIComponent(destination)}` : '/login'
  return (
    <p class="login-more">
      <a class="link" href={hrefOf(me.value === undefined ? login : destination)}>
        {me.value === undefined ? 'Log in' : 'Go back'}
      </a>
    </p>
  )
}

interface LinkFormProps {
  /** The label of the address field, and how browsers complete it. */
  label: string
  autocomplete: string
  /** The text before the address after the mail was sent. */
  sentTo: string
  send(address: string): Promise<SentLink>
}

interface SentLink {
  email: string
  link_hours: number
}

/** Sends a link to an address that the reader types. */
export function LinkForm({ label, autocomplete, sentTo, send }: LinkFormProps) {
  const [address, setAddress] = useState('')
  const [sent, setSent] = useState<SentLink>()
  const { submit, isBusy, fault } = useSubmit(async () => setSent(await send(address)))
  if (sent !== undefined) return <MailSent {...sent} sentTo={sentTo} />
  return (
    <form class="card login-form" onSubmit={submit}>
      <FormFault text={fault?.message} />
      <TextField label={label} value={address} onText={setAddress} autocomplete={autocomplete} isLarge isNeeded />
      <Button kind="primary" size="large" type="submit" isBusy={isBusy}>
        Send the link
      </Button>
    </form>
  )
}

function MailSent({ email, link_hours: hours, sentTo }: SentLink & { sentTo: string }) {
  return (
    <div class="card login-form" role="status">
      <p>
        <Icon name="mail" /> {sentTo} <b>{email}</b>
      </p>
      <p class="muted">
        The link in it works once, for {hours} hours. If no mail comes, look into the spam folder, or try again.
      </p>
    </div>
  )
}
