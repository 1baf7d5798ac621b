import { Button } from '../../../parts/button.tsx'

export interface NewSecret {
  address: string
  secret: string
}

/** What is entered at the source. The secret is shown only now. */
export function SourceSetUp({ address, secret, onClose }: NewSecret & { onClose(): void }) {
  return (
    <section class="stack" aria-label="To be entered at the source" role="status">
      <h2>Enter this at the source</h2>
      <p class="small">
        The secret is shown only now. GitHub and Forgejo: content type <code>application/json</code>, events for pushes,
        pull requests, reviews and checks.
      </p>
      <Copied label="Address" text={address} />
      <Copied label="Secret" text={secret} />
      <div>
        <Button onClick={onClose}>I have copied both</Button>
      </div>
    </section>
  )
}

function Copied({ label, text }: { label: string; text: string }) {
  return (
    <div class="row wrap">
      <b>{label}</b> <code class="break-anywhere">{text}</code>{' '}
      <Button size="small" onClick={() => void navigator.clipboard?.writeText(text)}>
        Copy<span class="visually-hidden"> the {label.toLowerCase()}</span>
      </Button>
    </div>
  )
}
