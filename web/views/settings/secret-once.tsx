import type { ComponentChildren } from 'preact'
import { copyText } from '../../core/clipboard.ts'
import { Button } from '../../parts/button.tsx'

interface Props {
  label: string
  /** What it is, in the sentences of the page, such as “key”. */
  name: string
  secret: string
  /** What was made, and what the secret is for. */
  children: ComponentChildren
  onDone(): void
}

/** A secret that the server returns only once. */
export function SecretOnce({ label, name, secret, children, onDone }: Props) {
  const copy = () =>
    copyText(secret, `The ${name} is copied.`, `The browser does not allow copying. Select the ${name} and copy it.`)
  return (
    <div class="card stack recovery" role="group" aria-label={label}>
      <p role="status">
        {children} Copy the {name} now: <b>it is not shown again.</b>
      </p>
      <p>
        <code class="secret-text">{secret}</code>
      </p>
      <div class="factor-buttons">
        <Button kind="primary" icon="copy" onClick={() => void copy()}>
          Copy the {name}
        </Button>
        <Button onClick={onDone}>I have kept it</Button>
      </div>
    </div>
  )
}
