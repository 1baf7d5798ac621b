import { useEffect } from 'preact/hooks'
import { LOOK_PARAMETERS, lookOf } from '../../core/bugs/saved-searches.ts'
import { currentAddress, goWith, query } from '../../core/router.ts'
import { savedSearchIn } from './saved-query.ts'

/** An address that only names a saved search, such as an old link, gets the order, columns and groups that were saved with it. */
export function useSavedLook() {
  const name = query.value.get('savedsearch')
  const sharer = query.value.get('sharer_id')
  useEffect(() => {
    if (name === null || LOOK_PARAMETERS.some((it) => query.value.has(it))) return
    const asked = currentAddress.value
    savedSearchIn(query.value).then(
      (saved) => saved !== undefined && currentAddress.value === asked && goWith(lookOf(saved)),
      () => undefined,
    )
  }, [name, sharer])
}
