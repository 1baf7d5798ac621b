import { useEffect, useState } from 'preact/hooks'
import type { Answer } from '../../../../client/call-types.ts'
import { addressOf } from '../../../../shared/rest-address.ts'
import { getOnce } from '../../../core/server/rest.ts'
import { TextField } from '../../../parts/field.tsx'
import { OldValue } from '../changes/changed-value.tsx'
import type { Place } from '../changes/use-place.ts'
import type { GroupState } from './group-state.ts'
import { textOf } from './group-text.ts'

type Matches = Answer<'GET /group/:ref/matching'>
const AFTER_TYPING_MILLISECONDS = 400

/** The regular expression whose matches are members. What it would change is counted while one types. */
export function Pattern({ place, state }: { place: Place<GroupState>; state: GroupState }) {
  const { value, change, set } = textOf(place, state, 'user_regexp')
  const [matches, setMatches] = useState<Matches>()
  const [refusal, setRefusal] = useState<string>()
  const isChanged = change !== undefined
  useEffect(() => {
    setMatches(undefined)
    setRefusal(undefined)
    if (value === '') return
    const abort = new AbortController()
    const timer = setTimeout(() => {
      getOnce(addressOf('/group/:ref/matching', { ref: state.group.id, user_regexp: value }), abort.signal).then(
        setMatches,
        (fault) => abort.signal.aborted || setRefusal(fault.message),
      )
    }, AFTER_TYPING_MILLISECONDS)
    return () => {
      clearTimeout(timer)
      abort.abort()
    }
  }, [value, state])
  const isEverybody = matches !== undefined && isChanged && value !== '' && matches.matching === matches.users
  useEffect(() => {
    // A pattern for everybody is shown once more before it is saved.
    if (isEverybody !== (change?.isFinal ?? false) && isChanged) set(value, isEverybody)
  }, [isEverybody])
  return (
    <section class={isChanged ? 'card admin-card is-unsaved' : 'card admin-card'} aria-label="Pattern">
      <h2>Pattern</h2>
      <TextField
        label="Login names that belong to it"
        hint="A regular expression, such as @example\.org$. Empty for none."
        error={refusal}
        value={value}
        onText={(text) => set(text)}
      />
      <OldValue change={change} />
      <div aria-live="polite">{matches !== undefined && <Result {...{ matches, isChanged, isEverybody }} />}</div>
    </section>
  )
}

function Result({ matches, isChanged, isEverybody }: { matches: Matches; isChanged: boolean; isEverybody: boolean }) {
  const { matching, users, joining, leaving, joining_names, leaving_names } = matches
  return (
    <>
      <p>
        It matches {matching} of {users} accounts.
      </p>
      {isEverybody && <p class="error">Everybody with an account becomes a member.</p>}
      {isChanged && <Names what="Would join" count={joining} names={joining_names} />}
      {isChanged && <Names what="Would leave" count={leaving} names={leaving_names} />}
    </>
  )
}

function Names({ what, count, names }: { what: string; count: number; names: readonly string[] }) {
  const more = count > names.length ? ` and ${count - names.length} more` : ''
  return (
    <p class="group-names">
      {what}: {count === 0 ? 'nobody' : <bdi>{`${names.join(', ')}${more}`}</bdi>}
    </p>
  )
}
