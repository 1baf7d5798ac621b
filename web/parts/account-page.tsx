import type { ComponentChildren } from 'preact'
import { hrefOf } from '../core/router.ts'
import { Icon } from './icon.tsx'

/** The frame of the pages about accounts for readers who are not logged in: one narrow form. */
export function AccountPage({
  title,
  about,
  children,
}: {
  title: string
  about?: string
  children: ComponentChildren
}) {
  return (
    <main id="main" class="login">
      <div class="login-c">
        <div class="login-b">
          <Icon name="logo" />
          <h1>{title}</h1>
          {about !== undefined && <p class="muted">{about}</p>}
        </div>
        {children}
        <p class="login-more">
          <a class="link" href={hrefOf('/login')}>
            Log in
          </a>
        </p>
      </div>
    </main>
  )
}

export function FormFault({ text }: { text: string | undefined }) {
  if (text === undefined) return null
  return (
    <div class="note note-danger" role="alert">
      <Icon name="warn" />
      <div>{text}</div>
    </div>
  )
}

/** What stands where the form was, once the mail is on its way. */
export function MailSent({ email, hours, children }: { email: string; hours: number; children: ComponentChildren }) {
  return (
    <div class="card login-f" role="status">
      <p>
        <Icon name="mail" /> {children} <b>{email}</b>
      </p>
      <p class="muted">
        The link in it works once, for {hours} hours. If no mail comes, look into the folder for unwanted mail, or try
        again.
      </p>
    </div>
  )
}
