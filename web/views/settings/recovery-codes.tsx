import { Button } from '../../parts/button.tsx'

/** Shown once. */
export function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone(): void }) {
  return (
    <div class="card stack recovery" role="group" aria-label="Recovery codes">
      <p>
        Keep these recovery codes in a safe place. Each works once in place of a code, for example when your phone is
        lost. <b>They are not shown again.</b>
      </p>
      <ul class="recovery-codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div>
        <Button onClick={onDone}>I have kept them</Button>
      </div>
    </div>
  )
}
