import { useState } from 'preact/hooks'
import { Button } from '../../../parts/button.tsx'
import { Field, TextField } from '../../../parts/field.tsx'
import { Icon } from '../../../parts/icon.tsx'
import { Menu } from '../../../parts/menu.tsx'
import { ChangedValue, OldValue } from '../changes/changed-value.tsx'
import { DraftForm } from '../changes/draft-form.tsx'
import type { Place } from '../changes/use-place.ts'
import type { CannedReply, ProductState } from './product-state.ts'

interface Props {
  place: Place<ProductState>
  state: ProductState
}

/** Texts for comments on bugs of the product. */
export function CannedReplies({ place, state }: Props) {
  const [dialog, setDialog] = useState<CannedReply | 'new'>()
  const { draft } = place
  const added = draft.changes.value.filter(({ key }) => key.startsWith('reply new '))
  return (
    <section class="card" aria-label="Canned replies" id="replies">
      <div class="admin-head">
        <h2>Canned replies</h2>
        <span class="faint">texts for comments that are written again and again</span>
        <span class="align-end">
          <Button size="small" icon="plus" onClick={() => setDialog('new')}>
            New canned reply
          </Button>
        </span>
      </div>
      {state.replies.length + added.length === 0 && <p class="admin-note faint">There is none yet.</p>}
      <ul class="rows flag-rows">
        {state.replies.map((reply) => (
          <Row key={reply.id} {...{ place, reply }} onEdit={() => setDialog(reply)} />
        ))}
        {added.map((it) => (
          <li key={it.key} class="is-unsaved">
            <b dir="auto">{it.after}</b> <OldValue change={it} />
            <Button size="small" kind="quiet" onClick={() => draft.drop(it.key)}>
              Remove
            </Button>
          </li>
        ))}
      </ul>
      {dialog !== undefined && (
        <ReplyForm
          {...{ place, state }}
          reply={dialog === 'new' ? undefined : dialog}
          onClose={() => setDialog(undefined)}
        />
      )}
    </section>
  )
}

function Row({ place, reply, onEdit }: { place: Place<ProductState>; reply: CannedReply; onEdit(): void }) {
  const { id, name, text, group, is_private: isPrivate } = reply
  const { draft } = place
  const changeOf = (part: string) => draft.get(`reply ${id} ${part}`)
  const removal = draft.get(`reply ${id}`)
  const isChanged = removal !== undefined || REPLY_PARTS.some((part) => changeOf(part) !== undefined)
  const remove = () =>
    removal !== undefined
      ? draft.drop(removal.key)
      : place.change({
          key: `reply ${id}`,
          title: `canned reply ${name}`,
          before: name,
          after: '',
          isFinal: true,
          call: { method: 'DELETE', path: `/rest/canned_reply/${id}` },
        })
  const nameChange = changeOf('name')
  return (
    <li class={isChanged ? 'is-unsaved' : ''}>
      <div class="row">
        <b dir="auto">{nameChange === undefined ? name : <ChangedValue {...nameChange} />}</b>
        {group !== null && <span class="badge">for {group}</span>}
        {isPrivate && <span class="badge badge-secret">private</span>}
        {removal !== undefined && <span class="changed-value small">will be deleted</span>}
        <span class="align-end">
          <Menu
            label={`Actions for ${name}`}
            at="end"
            buttonClass="icon-button icon-button-small"
            button={<Icon name="more" />}
            items={[
              { name: 'Edit…', icon: 'edit', run: onEdit },
              {
                name: removal === undefined ? 'Delete' : 'Do not delete',
                icon: 'trash',
                isDangerous: true,
                run: remove,
              },
            ]}
          />
        </span>
      </div>
      <div class="faint small" dir="auto">
        {draft.valueOf(`reply ${id} text`, text).split('\n')[0]}
      </div>
    </li>
  )
}

const REPLY_PARTS = ['name', 'text', 'group'] as const

const TITLES: Record<(typeof REPLY_PARTS)[number], (name: string) => string> = {
  name: (name) => `name of the reply ${name}`,
  text: (name) => `text of the reply ${name}`,
  group: (name) => `group of the reply ${name}`,
}

interface FormProps extends Props {
  reply: CannedReply | undefined
  onClose(): void
}

function ReplyForm({ place, state, reply, onClose }: FormProps) {
  const savedOf = (part: (typeof REPLY_PARTS)[number]) => reply?.[part] ?? ''
  const [values, setValues] = useState(() => {
    const now = (part: (typeof REPLY_PARTS)[number]) =>
      reply === undefined ? '' : place.draft.valueOf(`reply ${reply.id} ${part}`, savedOf(part))
    return { name: now('name'), text: now('text'), group: now('group') }
  })
  const set = (part: keyof typeof values) => (text: string) => setValues((last) => ({ ...last, [part]: text }))
  const take = () => {
    const name = values.name.trim()
    if (reply === undefined) {
      const params = { product: state.product.name, name, text: values.text, group: values.group }
      return place.change({
        key: `reply new ${name}`,
        title: `new canned reply ${name}`,
        before: '',
        after: name,
        call: { method: 'POST', path: '/rest/canned_reply', params },
      })
    }
    for (const part of REPLY_PARTS)
      place.change({
        key: `reply ${reply.id} ${part}`,
        title: TITLES[part](reply.name),
        before: savedOf(part),
        after: values[part],
        words: { '': 'every user' },
        call: { method: 'PUT', path: `/rest/canned_reply/${reply.id}`, params: { [part]: values[part] } },
      })
  }
  return (
    <DraftForm
      title={reply === undefined ? 'New canned reply' : `Canned reply ${reply.name}`}
      onAdd={take}
      onClose={onClose}
    >
      <TextField label="Name" isNeeded isFocused value={values.name} onText={set('name')} />
      <Field label="Text" isNeeded>
        {({ id, describedBy }) => (
          <textarea
            id={id}
            class="input"
            aria-describedby={describedBy}
            dir="auto"
            rows={6}
            required
            value={values.text}
            onInput={(event) => set('text')(event.currentTarget.value)}
          />
        )}
      </Field>
      <TextField
        label="Group"
        hint="Only its members can use the reply. Empty for every user."
        value={values.group}
        onText={set('group')}
      />
    </DraftForm>
  )
}
