import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Bug } from '../../core/server/types.ts'
import type { BugStore } from './bug-store.ts'

const Store = createContext<BugStore | undefined>(undefined)
export const StoreProvider = Store.Provider

export function useBugStore(): BugStore {
  const store = useContext(Store)
  if (store === undefined) throw new Error('useBug and useBugStore work only on the page of a bug')
  return store
}

/** The bug that is shown: the parts of the page are drawn only when there is one. */
export function useBug(): Bug {
  const bug = useBugStore().shown.value
  if (bug === undefined) throw new Error('useBug and useBugStore work only on the page of a bug')
  return bug
}
