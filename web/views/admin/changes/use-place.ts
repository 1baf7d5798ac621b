import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { addressOf } from '../../../../shared/rest-address.ts'
import { get } from '../../../core/server/rest.ts'
import { type Change, type ChangeDraft, draftOf } from './change-draft.ts'

const VERSION_CALL = addressOf('/admin/changes')

interface Options<State> {
  /** The address below /admin, such as `products/Kettle`: its draft has this name. */
  name: string
  /** What the changes belong to, in sentences: “Kettle”. */
  title: string
  /** Reads what the page shows. */
  load(): Promise<State>
  /** Every value that can be changed by the key of its change, in the words of `before`. */
  values(state: State): ReadonlyMap<string, string>
}

/** A page of the administration whose changes are saved together. */
export interface Place<State> {
  title: string
  /** Undefined until it was read. */
  state: State | undefined
  fault: Error | undefined
  /** That of the configuration that is shown. */
  version: number
  draft: ChangeDraft
  /** Notes a change that is not saved yet. */
  change(change: Change): void
  /** What others have saved since, where it is not what the changes were made to. */
  conflicts: readonly Conflict[]
  /** Returns the conflicts that the newest state has with the draft. */
  reload(): Promise<readonly Conflict[]>
  /** After these changes were saved: shows the new state without them. */
  settle(saved: readonly Change[]): Promise<void>
  /** The changes of the draft are made to the present state: to be called after the reader has seen the conflicts. */
  keepMine(): void
}

export interface Conflict {
  change: Change
  /** What is saved now; undefined if the object is gone. */
  theirs: string | undefined
}

interface Loaded<State> {
  name: string
  version: number
  state?: State
  fault?: Error
}

/** Reads a page and its draft. The version is read first, so that a change of others in between is found when it is saved. */
export function usePlace<State>(options: Options<State>): Place<State> {
  const { name, title, load, values } = options
  const draft = useMemo(() => draftOf(name), [name])
  const [loaded, setLoaded] = useState<Loaded<State>>({ name, version: 0 })
  /** What is saved, also before the page has drawn it. */
  const latest = useRef({ version: 0, values: new Map<string, string>() as ReadonlyMap<string, string> })
  const current = useRef(name)
  current.current = name
  const reload = async (sent: readonly Change[] = []): Promise<readonly Conflict[]> => {
    try {
      const { version } = await get(VERSION_CALL)
      const state = await load()
      if (current.current !== name) return []
      latest.current = { version, values: values(state) }
      if (sent.length > 0) draft.settle(sent)
      const conflicts = conflictsIn(draft.changes.value, values(state))
      if (conflicts.length === 0 && draft.changes.value.length > 0) draft.rebase(version)
      setLoaded({ name, version, state })
      return conflicts
    } catch (fault) {
      if (current.current === name) setLoaded((last) => ({ ...last, name, fault: fault as Error }))
      throw fault
    }
  }
  useEffect(() => {
    reload().catch(() => {})
  }, [name])
  const isCurrent = loaded.name === name
  const state = isCurrent ? loaded.state : undefined
  const saved = state === undefined ? undefined : values(state)
  return {
    title,
    state,
    fault: isCurrent ? loaded.fault : undefined,
    version: loaded.version,
    draft,
    change: (change) => {
      const before = draft.get(change.key)?.before ?? latest.current.values.get(change.key) ?? change.before
      draft.set({ ...change, before }, latest.current.version)
    },
    conflicts: saved === undefined ? [] : conflictsIn(draft.changes.value, saved),
    reload: () => reload(),
    settle: async (sent) => {
      await reload(sent).catch(() => draft.settle(sent))
    },
    keepMine: () => draft.rebase(loaded.version, saved),
  }
}

/** A new object is in conflict with nothing: the server refuses it if its name is taken. */
function conflictsIn(changes: readonly Change[], saved: ReadonlyMap<string, string>): Conflict[] {
  return changes
    .filter(({ key, before, call }) => call.method !== 'POST' && saved.get(key) !== before)
    .map((change) => ({ change, theirs: saved.get(change.key) }))
}
