import { addressOf } from '../../shared/rest-address.ts'
import { post, remove } from '../core/server/rest.ts'
import { useData } from '../core/server/use-data.ts'
import { showFault, showToast } from '../core/toasts.ts'

/** What the reader watches, and how to change it. Every change is saved at once and can be undone. */
export function useWatches(isSignedIn: boolean) {
  const { body, reload } = useData(isSignedIn ? addressOf('/component-watching') : undefined)
  const run = async (change: () => Promise<unknown>, text: string, undo?: () => void) => {
    try {
      await change()
      showToast({ kind: 'done', text, ...(undo && { action: { name: 'Undo', run: undo } }) })
    } catch (fault) {
      showFault(fault)
    }
    reload()
  }
  const watch = (product: string, component = '', isUndo = false) => {
    let id = 0
    const save = async () => {
      const made = await post('/component-watching', { product, component: [component] })
      if ('id' in made) id = made.id
    }
    const undo = () => void run(() => remove('/component-watching/:id', { id }), 'Undone.')
    void run(
      save,
      isUndo ? 'Undone.' : `You watch ${component === '' ? product : component}.`,
      isUndo ? undefined : undo,
    )
  }
  const end = (id: number, product: string, component: string) =>
    void run(
      () => remove('/component-watching/:id', { id }),
      `You no longer watch ${component === '' ? product : component}.`,
      () => watch(product, component, true),
    )
  return { watches: body, watch, end }
}

interface Props {
  watches: ReturnType<typeof useWatches>
  product: string
  /** Without it, the whole product. */
  component?: string
}

/** Watches a product or a component, or stops watching it. A component of a watched product is watched with it. */
export function WatchButton({ watches: { watches, watch, end }, product, component = '' }: Props) {
  if (watches === undefined) return null
  const own = watches.find((it) => it.product_name === product && it.component_name === component)
  const isWithProduct =
    component !== '' && watches.some((it) => it.product_name === product && it.component_name === '')
  const what = component === '' ? product : component
  if (isWithProduct) return <span class="muted">Watched with the product</span>
  return (
    <button
      type="button"
      class={component === '' ? 'button' : 'button button-small'}
      aria-label={`Watch ${what}`}
      aria-pressed={own !== undefined}
      onClick={() => (own === undefined ? watch(product, component) : end(own.id, product, component))}
    >
      {own === undefined ? 'Watch' : 'Watching'}
    </button>
  )
}
