import { useEffect, useState } from 'preact/hooks'
import { productCall } from '../../../../shared/first-calls.ts'
import { addressOf } from '../../../../shared/rest-address.ts'
import { isFoldedByTag, me } from '../../../core/account/session.ts'
import { hrefOf } from '../../../core/router.ts'
import { post } from '../../../core/server/rest.ts'
import { useData } from '../../../core/server/use-data.ts'
import { Dialog } from '../../../parts/dialog.tsx'
import { DialogEnd } from '../../../parts/dialog-end.tsx'
import { SelectField, TextField } from '../../../parts/field.tsx'
import { useSubmit } from '../../../parts/use-submit.ts'
import type { Account } from '../people/account.ts'
import { type Activity, type Counts, inWords, isCut, MOST_OF_A_KIND } from './activity.ts'

interface Props {
  account: Account
  days: number
  onClose(): void
  onHidden(step: Counts & { id: number }, isDisabled: boolean): void
}

const DENIED = 'This account was used for spam.'

/** Says what hiding does before it happens. The server does all of it or nothing. */
export function HideDialog({ account, days, onClose, onHidden }: Props) {
  const { id } = account
  // Read anew, because they may have written since the page was opened.
  const { body, fault: unread } = useData(
    addressOf('/user/:ref/activity', { ref: id, days, unhidden: true, text_length: 0 }),
  )
  const [target, setTarget] = useState<Target>(NOWHERE)
  const mayDisable = account.can_login && id !== me.value?.id
  const [isDisabled, setDisabled] = useState(mayDisable)
  const [denied, setDenied] = useState(DENIED)
  const { submit, isBusy, fault } = useSubmit(async () => {
    const moved = target.product === '' ? {} : target
    const disabled = isDisabled ? { login_denied_text: denied } : {}
    const step = await post('/user/:ref/activity/hide', { ref: id, days, ...moved, ...disabled })
    onClose()
    onHidden(step, isDisabled)
  })
  const counts = body && countsFor(body, target.product)
  return (
    <Dialog title={`Hide what ${account.name} wrote?`} onClose={onClose}>
      <form class="stack" onSubmit={submit}>
        <div aria-live="polite">
          {body === undefined || counts === undefined ? (
            <p>Counting…</p>
          ) : (
            <Effects
              {...{ counts, days }}
              product={target.product}
              staying={target.product === '' ? body.bugs.length : 0}
            />
          )}
        </div>
        {body !== undefined && body.bugs.length > 0 && <TargetFields target={target} onTarget={setTarget} />}
        {mayDisable ? (
          <>
            <label class="checkbox-label">
              <input
                class="checkbox"
                type="checkbox"
                checked={isDisabled}
                onChange={({ currentTarget }) => setDisabled(currentTarget.checked)}
              />
              <span>Disable the account too: sessions end, keys, webhooks and scheduled mail stop</span>
            </label>
            {isDisabled && <TextField label="What they read at log-in" isNeeded value={denied} onText={setDenied} />}
          </>
        ) : (
          <p class="muted">
            {account.can_login ? 'This is your own account: it stays enabled.' : 'The account is disabled already.'}
          </p>
        )}
        <DialogEnd
          fault={fault ?? unread}
          {...{ isBusy, onClose }}
          action={isDisabled ? 'Hide it and disable the account' : 'Hide it'}
          unavailable={reasonAgainst(counts, isDisabled, denied)}
          isDangerous
        />
      </form>
    </Dialog>
  )
}

interface Target {
  product: string
  component: string
  version: string
}

const NOWHERE: Target = { product: '', component: '', version: '' }

/** Bugs are hidden only by a move: without a product none is, and those that are there already stay. */
function countsFor({ bugs, comments, attachments }: Activity, product: string): Counts {
  const isMoved = (it: { product: string }) => product !== '' && it.product !== product
  return { bugs: bugs.filter(isMoved).length, comments: comments.length, attachments: attachments.length }
}

function reasonAgainst(counts: Counts | undefined, isDisabled: boolean, denied: string) {
  if (counts === undefined) return 'What they wrote is not counted yet.'
  if (isDisabled) return denied.trim() === '' ? 'Write what they read first.' : undefined
  return inWords(counts) === 'nothing' ? 'There is nothing to hide.' : undefined
}

interface EffectsProps {
  counts: Counts
  days: number
  product: string
  /** Bugs that no product is chosen for. */
  staying: number
}

function Effects({ counts, days, product, staying }: EffectsProps) {
  const { bugs, comments, attachments } = counts
  const lines = [
    ...(comments > 0 ? [`${inWords({ ...NONE, comments })}: tagged spam${isFolded() ? ' and folded' : ''}`] : []),
    ...(attachments > 0 ? [`${inWords({ ...NONE, attachments })}: obsolete, requests on them are cancelled`] : []),
    ...(bugs > 0 ? [`${inWords({ ...NONE, bugs })}: moved to ${product}, whose groups decide who sees them`] : []),
    ...(staying > 0
      ? [`${inWords({ ...NONE, bugs: staying })}: not moved, so that others still read the summary`]
      : []),
  ]
  return (
    <>
      <p>Of the last {days === 1 ? 'day' : `${days} days`}, what is not hidden yet:</p>
      {lines.length === 0 ? <p>Nothing.</p> : <ul class="misuse-effects">{lines.map(asLine)}</ul>}
      {isCut(counts) && (
        <p>At most {MOST_OF_A_KIND.toLocaleString()} of each kind in one step, the oldest first. Then hide again.</p>
      )}
      {comments > 0 && !isFolded() && (
        <p>
          Everybody still reads the comments:{' '}
          <a class="link" href={hrefOf('/admin/parameters?search=collapsed_comment_tags')}>
            no comment with the tag spam is folded here
          </a>
          .
        </p>
      )}
      <p class="muted">
        All of it happens, or nothing, and it can be undone.
        {bugs + attachments > 0 && ' Who follows these bugs gets mail about it, as about every change.'}
      </p>
    </>
  )
}

const NONE: Counts = { bugs: 0, comments: 0, attachments: 0 }

function isFolded() {
  return isFoldedByTag({ tags: ['spam'] })
}

function asLine(line: string) {
  return (
    <li key={line} dir="auto">
      {line}
    </li>
  )
}

function TargetFields({ target, onTarget }: { target: Target; onTarget(target: Target): void }) {
  const { body } = useData(addressOf('/product', { type: 'accessible', include_fields: 'name' }))
  const names = (body?.products ?? []).map(({ name }) => ({ value: name, name }))
  return (
    <>
      <SelectField
        label="The bugs"
        value={target.product}
        options={[{ value: '', name: 'stay where they are' }, ...names]}
        onChoice={(product) => onTarget({ ...NOWHERE, product })}
      />
      {target.product !== '' && <PlaceFields key={target.product} target={target} onTarget={onTarget} />}
    </>
  )
}

/** The component and the version that the bugs get. */
function PlaceFields({ target, onTarget }: { target: Target; onTarget(target: Target): void }) {
  const { body } = useData(productCall(target.product))
  const [product] = body?.products ?? []
  const components = activeNames(product?.components)
  const versions = activeNames(product?.versions)
  const [component = ''] = components
  const [version = ''] = versions
  const isChosen = target.component !== '' || product === undefined
  useEffect(() => {
    if (!isChosen) onTarget({ ...target, component, version })
  }, [isChosen])
  if (product === undefined) return null
  const asOption = (name: string) => ({ value: name, name })
  return (
    <>
      <SelectField
        label="Component"
        value={target.component}
        options={components.map(asOption)}
        onChoice={(it) => onTarget({ ...target, component: it })}
      />
      <SelectField
        label="Version"
        value={target.version}
        options={versions.map(asOption)}
        onChoice={(it) => onTarget({ ...target, version: it })}
      />
    </>
  )
}

function activeNames(all: readonly { name: string; is_active: boolean }[] = []) {
  return all.filter(({ is_active }) => is_active).map(({ name }) => name)
}
