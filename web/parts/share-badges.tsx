import { nameInSentence } from '../core/name-in-sentence.ts'
import { Icon } from './icon.tsx'

export interface PausedShare {
  group: string
  reason: string
}

interface Props {
  groups: readonly string[]
  paused: readonly PausedShare[]
}

/** The groups that something is shared with; its owner reads at which of them the share is paused. */
export function ShareBadges({ groups, paused }: Props) {
  return groups.map((group) => {
    const share = paused.find((it) => it.group === group)
    return (
      <span key={group} class={share === undefined ? 'badge' : 'badge badge-warn'}>
        <Icon name="users" />
        {group}
        {share !== undefined && ': paused'}
      </span>
    )
  })
}

/** One sentence for each reason; nothing where no share is paused. */
export function PausedShares({ paused }: { paused: readonly PausedShare[] }) {
  return pausesInWords(paused).map((text) => (
    <p key={text} class="hint" dir="auto">
      {text}
    </p>
  ))
}

function pausesInWords(paused: readonly PausedShare[]): string[] {
  const groupsBy = (reason: string) =>
    paused.flatMap((it) => (it.reason === reason ? nameInSentence(it.group) : [])).join(', ')
  const left = groupsBy('owner_not_in_group')
  const denied = groupsBy('owner_may_not_share')
  return [
    ...(left === '' ? [] : [`Paused for ${left}: its members do not see this while you are not one of them.`]),
    ...(denied === '' ? [] : [`Paused for ${denied}: its members do not see this while you may not share.`]),
  ]
}
