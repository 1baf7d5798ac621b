import { useCommands } from '../../../core/keys.ts'
import type { Comment } from '../../../core/server/types.ts'
import { Icon } from '../../../parts/icon.tsx'
import { Menu } from '../../../parts/menu.tsx'
import { useIsFocused } from '../composer/reply.ts'
import { useBugStore } from '../use-bug.ts'
import { react } from './comment-actions.ts'
import { mayReact } from './comment-rights.ts'

/** The three things that readers say without writing a comment, under the names of the REST API. */
const REACTIONS = [
  { name: '+1', words: 'I see it too', icon: 'check' },
  { name: 'heart', words: 'Thanks', icon: 'star' },
  { name: 'smile', words: 'Looking', icon: 'eye' },
] as const

/** What readers have said, with their number, and what the reader can say. */
export function Reactions({ comment }: { comment: Comment }) {
  const store = useBugStore()
  const isAllowed = mayReact(store)
  const isOwn = (name: string) => comment.own_reactions?.includes(name) ?? false
  const toggle = (name: string) => react(store, comment, name, !isOwn(name))
  const said = REACTIONS.filter(({ name }) => (comment.reactions?.[name] ?? 0) > 0)
  const isFocused = useIsFocused(comment.count)
  useCommands(
    isAllowed && isFocused
      ? REACTIONS.map(({ name, words }) => ({
          name: isOwn(name) ? `Take back “${words}”: comment ${comment.count}` : `${words}: comment ${comment.count}`,
          run: () => void toggle(name),
        }))
      : [],
  )
  if (said.length === 0) return null
  return (
    <div class="reactions" role="group" aria-label={`Reactions to comment ${comment.count}`}>
      {said.map(({ name, words, icon }) =>
        isAllowed ? (
          <button
            key={name}
            type="button"
            class={isOwn(name) ? 'chip is-on' : 'chip'}
            aria-pressed={isOwn(name)}
            onClick={() => void toggle(name)}
          >
            <Icon name={icon} size="small" />
            {words} <b>{comment.reactions?.[name]}</b>
          </button>
        ) : (
          <span key={name} class="chip">
            <Icon name={icon} size="small" />
            {words} <b>{comment.reactions?.[name]}</b>
          </span>
        ),
      )}
    </div>
  )
}

/** The menu with which one reacts. */
export function ReactMenu({ comment }: { comment: Comment }) {
  const store = useBugStore()
  if (!mayReact(store)) return null
  return (
    <Menu
      label={`React to comment ${comment.count}`}
      button={<Icon name="star" />}
      buttonClass="icon-button icon-button-small"
      at="end"
      items={REACTIONS.map(({ name, words, icon }) => {
        const isOwn = comment.own_reactions?.includes(name) ?? false
        return {
          name: words,
          icon,
          ...(isOwn && { note: 'take back' }),
          run: () => void react(store, comment, name, !isOwn),
        }
      })}
    />
  )
}
