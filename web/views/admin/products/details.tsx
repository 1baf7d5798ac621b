import { useId } from 'preact/hooks'
import { SelectField, TextField } from '../../../parts/field.tsx'
import { OldValue } from '../changes/changed-value.tsx'
import type { Place } from '../changes/use-place.ts'
import { type Detail, detailOf, type ProductState, VOTE_LIMITS, type VoteLimit } from './product-state.ts'

interface Props {
  place: Place<ProductState>
  state: ProductState
}

const TITLES = {
  name: 'name',
  description: 'description',
  classification: 'classification',
  has_unconfirmed: 'first status of new bugs',
  bug_template: 'template of the description',
  votesperuser: 'votes per user',
  maxvotesperbug: 'votes per user and bug',
  votestoconfirm: 'votes that confirm a bug',
} as const satisfies Partial<Record<Detail, string>>

/** What new bugs can or must be. */
const UNCONFIRMED = { yes: 'can be Unconfirmed', no: 'are Confirmed at once' }

/** After versions and milestones, and a new name after all that is found by the old one. */
const AFTER_VALUES = 1

function detailField({ place, state }: Props, detail: keyof typeof TITLES) {
  const key = `product ${detail}`
  const before = detailOf(state, detail)
  return {
    value: place.draft.valueOf(key, before),
    change: place.draft.get(key),
    set: (after: string) =>
      place.change({
        key,
        title: TITLES[detail],
        before,
        after,
        order: AFTER_VALUES,
        words: detail === 'has_unconfirmed' ? UNCONFIRMED : { '': 'nothing' },
        call: {
          method: 'PUT',
          path: `/rest/product/${state.product.id}`,
          params: { [detail]: paramOf(detail, after) },
        },
      }),
  }
}

function paramOf(detail: keyof typeof TITLES, after: string) {
  if (detail === 'has_unconfirmed') return after === 'yes'
  // What is no number is refused by the server, in its words.
  return isVoteLimit(detail) && /^\s*\d+\s*$/.test(after) ? Number(after) : after
}

function isVoteLimit(detail: string) {
  return (VOTE_LIMITS as readonly string[]).includes(detail)
}

export function Details(props: Props) {
  const name = detailField(props, 'name')
  const description = detailField(props, 'description')
  const unconfirmed = detailField(props, 'has_unconfirmed')
  const classification = detailField(props, 'classification')
  const { classifications } = props.state
  return (
    <section class="card admin-card" aria-label="Details" id="details">
      <h2>Details</h2>
      <div class="product-details">
        <div class={name.change && 'is-unsaved'}>
          <TextField label="Name" value={name.value} onText={name.set} />
          <OldValue change={name.change} />
        </div>
        {classifications.length > 0 && (
          <div class={classification.change && 'is-unsaved'}>
            <SelectField
              label="Classification"
              value={classification.value}
              options={classifications.map((it) => ({ value: it, name: it }))}
              onChoice={classification.set}
            />
            <OldValue change={classification.change} />
          </div>
        )}
        <div class={unconfirmed.change && 'is-unsaved'}>
          <SelectField
            label="New bugs"
            value={unconfirmed.value}
            options={Object.entries(UNCONFIRMED).map(([value, name]) => ({ value, name }))}
            onChoice={unconfirmed.set}
          />
          <OldValue change={unconfirmed.change} />
        </div>
        <div class={description.change ? 'is-whole-row is-unsaved' : 'is-whole-row'}>
          <TextField label="Description" value={description.value} onText={description.set} />
          <OldValue change={description.change} />
        </div>
      </div>
    </section>
  )
}

const LIMITS: Readonly<Record<VoteLimit, { label: string; hint: string }>> = {
  votesperuser: { label: 'Votes of each user', hint: 'For all bugs of the product. 0: nobody votes.' },
  maxvotesperbug: { label: 'For one bug', hint: 'At most so many of them.' },
  votestoconfirm: { label: 'To confirm a bug', hint: '0: votes confirm no bug.' },
}

/** How many votes users have. */
export function Votes(props: Props) {
  return (
    <section class="card admin-card" aria-label="Votes" id="votes">
      <h2>
        Votes <span class="faint small">of users for its bugs</span>
      </h2>
      <div class="product-details">
        {VOTE_LIMITS.map((limit) => (
          <VoteLimitField key={limit} {...props} limit={limit} />
        ))}
      </div>
      <p class="hint">Lower numbers take away the votes that are more, and those who gave them get a mail.</p>
    </section>
  )
}

function VoteLimitField({ limit, ...props }: Props & { limit: VoteLimit }) {
  const { value, change, set } = detailField(props, limit)
  const { label, hint } = LIMITS[limit]
  return (
    <div class={change && 'is-unsaved'}>
      <TextField label={label} hint={hint} type="number" value={value} onText={set} />
      <OldValue change={change} />
    </div>
  )
}

export function Template(props: Props) {
  const id = useId()
  const template = detailField(props, 'bug_template')
  return (
    <section
      class={template.change ? 'card admin-card stack is-unsaved' : 'card admin-card stack'}
      aria-label="Template"
      id="template"
    >
      <h2>
        <label for={id}>Template of the description</label>
      </h2>
      <textarea
        id={id}
        class="input monospace"
        rows={6}
        value={template.value}
        onInput={(event) => template.set(event.currentTarget.value)}
      />
      <p class="hint">Filing a bug begins with this text.</p>
      <OldValue change={template.change} />
    </section>
  )
}
