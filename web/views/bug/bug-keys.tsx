import { isShownField } from '../../core/bugs/hidden-fields.ts'
import { type Shortcut, useKeys } from '../../core/keys.ts'
import { useBugStore } from './bug-store.ts'
import { currentComment, replyTo } from './composer/reply.ts'

/** `e` and a letter edit a field. The frequent ones work without `e` too, as in a list. */
const LETTERS: readonly (readonly [letter: string, field: string, what: string])[] = [
  ['t', 'summary', 'summary'],
  ['p', 'head priority', 'priority'],
  ['s', 'head severity', 'severity'],
  ['a', 'head assigned_to', 'assignee'],
  ['m', 'target_milestone', 'milestone'],
  ['c', 'component', 'component'],
  ['v', 'version', 'version'],
  ['k', 'keywords', 'keywords'],
  ['w', 'whiteboard', 'whiteboard'],
  ['d', 'depends_on', 'dependencies'],
  ['b', 'blocks', 'blocked bugs'],
  ['u', 'url', 'URL'],
  ['l', 'alias', 'alias'],
  ['g', 'tags', 'my tags'],
]

const FREQUENT = ['p', 's', 'a', 'm']

export function BugKeys() {
  const store = useBugStore()
  const edits: Shortcut[] = LETTERS.filter(([, field]) => isShownField(field)).flatMap(([letter, field, what]) => {
    const edit = {
      what: `Edit ${what === 'my tags' ? what : `the ${what}`}`,
      run: () => {
        const name = field.replace('head ', '')
        if (store.may(name) || name === 'tags') store.editing.value = field
      },
    }
    return [{ keys: `e ${letter}`, ...edit }, ...(FREQUENT.includes(letter) ? [{ keys: letter, ...edit }] : [])]
  })
  useKeys([
    ...edits,
    {
      keys: 'e e',
      what: 'Change the status',
      run: () => document.querySelector<HTMLElement>('.st-btn')?.click(),
    },
    {
      keys: 'r',
      what: 'Reply',
      run: () => {
        const comment = currentComment(store.comments.value)
        if (comment !== undefined && store.may('comment')) replyTo(comment)
      },
    },
  ])
  return null
}
