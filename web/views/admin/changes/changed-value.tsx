import { type Change, valueInWords } from './change-draft.ts'

/** The old value struck through, then the new one. A new object has no old value, and a removed one no new. */
export function ChangedValue({ before, after, call, words }: Pick<Change, 'before' | 'after' | 'call' | 'words'>) {
  const inWords = (value: string) => valueInWords({ ...(words && { words }) }, value)
  return (
    <span class="changed-value">
      {call.method !== 'POST' && (
        <s>
          <span class="visually-hidden">was </span>
          <bdi>{inWords(before)}</bdi>
        </s>
      )}
      {call.method === 'PUT' && <span aria-hidden="true">→</span>}
      {call.method === 'DELETE' && after === '' ? <span>removed</span> : <bdi>{inWords(after)}</bdi>}
    </span>
  )
}

/** The old value of a field, beside or below the control that has the new one. */
export function OldValue({ change }: { change: Change | undefined }) {
  if (change === undefined) return null
  return (
    <span class="changed-value small">
      {change.call.method === 'POST' ? (
        'new'
      ) : (
        <>
          was{' '}
          <s>
            <bdi>{valueInWords(change, change.before)}</bdi>
          </s>
        </>
      )}
    </span>
  )
}
