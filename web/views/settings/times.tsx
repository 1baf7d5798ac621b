import type { ComponentChildren } from 'preact'
import { Time } from '../../parts/time.tsx'

interface Props {
  /** What its beginning is called. */
  verb?: string
  created: string | null
  lastUsed: string | null
  children?: ComponentChildren
}

/** When something that belongs to the account began and was last used. Each fact stays in one piece where the line is short. */
export function Times({ verb = 'created', created, lastUsed, children }: Props) {
  return (
    <div class="facts">
      {created !== null && (
        <span>
          {verb} <Time at={created} isInSentence />
        </span>
      )}
      {lastUsed !== null && (
        <span>
          last used <Time at={lastUsed} isInSentence />
        </span>
      )}
      {children}
    </div>
  )
}
