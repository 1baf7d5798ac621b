// The next and the previous bug of the list that the reader came from. The list page keeps its numbers in sessionStorage.
import { useKeys } from '../../../core/keys.ts'
import { bugAddress, go, hrefOf } from '../../../core/router.ts'
import { IconButton } from '../../../parts/button.tsx'
import { useBug } from '../use-bug.ts'

/** As the list page writes it. */
export interface KeptList {
  /** The numbers of the rows, in their order. */
  ids: number[]
  /** The address of the list. */
  address: string
  name?: string
  total?: number
}

export const LIST_KEY = 'lacewing list'

export function keptList(): KeptList | undefined {
  try {
    const list = JSON.parse(sessionStorage.getItem(LIST_KEY) ?? '') as KeptList
    return Array.isArray(list.ids) && typeof list.address === 'string' && list.address.startsWith('/')
      ? list
      : undefined
  } catch {
    return undefined
  }
}

export function Neighbours() {
  const { id } = useBug()
  const list = keptList()
  const at = list?.ids.indexOf(id) ?? -1
  const to = (step: number) => {
    const other = list?.ids[at + step]
    if (at >= 0 && other !== undefined) go(bugAddress(other))
  }
  useKeys([
    { keys: 'j', what: 'Next bug of the list', run: () => to(1) },
    { keys: 'k', what: 'Previous bug of the list', run: () => to(-1) },
  ])
  if (list === undefined || at < 0) return null
  const total = list.total ?? list.ids.length
  return (
    <span class="breadcrumbs-neighbours">
      <span>
        {(at + 1).toLocaleString()} of {total.toLocaleString()}
        <span class="only-wide"> in</span>
      </span>{' '}
      <a class="only-wide" href={hrefOf(list.address)}>
        {list.name ?? 'the list'}
      </a>
      <IconButton name="Previous bug" icon="up" shortcut="k" size="small" onClick={() => to(-1)} />
      <IconButton name="Next bug" icon="down" shortcut="j" size="small" onClick={() => to(1)} />
    </span>
  )
}
