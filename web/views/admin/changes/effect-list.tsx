import { hrefOf } from '../../../core/router.ts'
import { Icon } from '../../../parts/icon.tsx'
import type { Effect } from './effects-in-words.ts'

/** What happens, each with the way to its bugs. */
export function EffectList({ effects }: { effects: readonly Effect[] }) {
  if (effects.length === 0) return <p>No bug, person or saved search is affected.</p>
  return (
    <ul class="change-effects">
      {effects.map(({ text, address, isGrave }) => (
        <li key={text} class={isGrave ? 'is-grave' : undefined}>
          <Icon name={isGrave ? 'warn' : 'info'} size="small" />
          {address === undefined ? (
            <span>{text}</span>
          ) : (
            <a class="link" href={hrefOf(address)} target="_blank" rel="noopener">
              {text}
            </a>
          )}
        </li>
      ))}
    </ul>
  )
}
