import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { View as Address } from '../../shared/addresses.ts'
import { cloneCalls, FIELDS_CALL, filingCall, PRODUCTS_CALL } from '../../shared/first-calls.ts'
import { me } from '../core/account/session.ts'
import { currentAddress, hasMoved, hrefOf, query } from '../core/router.ts'
import type { Field, ListedProduct } from '../core/server/types.ts'
import { useData } from '../core/server/use-data.ts'
import { useTitle } from '../core/title.ts'
import { Button } from '../parts/button.tsx'
import { Empty, LoadingPage, RefusedPage } from '../parts/states.tsx'
import { Attachments } from './file/attachments.tsx'
import { cloneOf } from './file/clone.ts'
import { Description } from './file/description.tsx'
import { Duplicates, DuplicatesLink, useSimilar } from './file/duplicates.tsx'
import { MainFields, Summary } from './file/fields.tsx'
import { Filed } from './file/filed.tsx'
import { MoreFields } from './file/more-fields.tsx'
import { customFieldsFor, faultsIn, type NewBug } from './file/new-bug.ts'
import { currentFilingAddress, firstBug } from './file/prefill.ts'
import { withTemplate } from './file/template.ts'
import { useFiling } from './file/use-filing.ts'
import { Where } from './file/where.tsx'
import { WhoSees } from './file/who-sees.tsx'

export function View({ parts }: { parts: Address['parts'] }) {
  useTitle('File a bug')
  const clone = query.value.get('clone') ?? ''
  const [bugCall, commentsCall] = clone === '' ? [] : cloneCalls(clone)
  const products = useData(PRODUCTS_CALL)
  const fields = useData(FIELDS_CALL)
  const cloned = useData(bugCall)
  const comments = useData(commentsCall)
  if (me.value === undefined) return <LogInFirst />
  const fault = products.fault ?? fields.fault ?? cloned.fault ?? comments.fault
  if (fault !== undefined) return <RefusedPage fault={fault} retry={products.reload} />
  const isReady = clone === '' || (cloned.body !== undefined && comments.body !== undefined)
  if (products.body === undefined || fields.body === undefined || !isReady) return <LoadingPage />
  const bug = cloned.body?.bugs[0]
  const description = bug && comments.body?.bugs[bug.id]?.comments.find(({ count }) => count === 0)
  return (
    <Form
      key={currentFilingAddress()}
      draftName={clone === '' ? 'file' : `file clone ${clone}`}
      products={products.body.products}
      fields={fields.body.fields}
      parts={parts}
      base={bug && cloneOf(bug, description, fields.body.fields)}
    />
  )
}

function LogInFirst() {
  const { path, query: search } = currentAddress.value
  const to = search === '' ? path : `${path}?${search}`
  return (
    <main id="main" class="page">
      <Empty icon="lock" title="Log in to file a bug" isPage>
        <a class="button button-primary" href={hrefOf(`/login?to=${encodeURIComponent(to)}`)}>
          Log in
        </a>
      </Empty>
    </main>
  )
}

interface FormProps {
  draftName: string
  products: readonly ListedProduct[]
  fields: readonly Field[]
  parts: Address['parts']
  /** The clone that the form begins with. */
  base: NewBug | undefined
}

function Form({ draftName, products, fields, parts, base }: FormProps) {
  const filing = useFiling(draftName, () => firstBug(draftName, parts, base))
  const { bug, change, files, isBusy, refusal, filed } = filing
  const [isTried, setTried] = useState(false)
  const [isAnother, setAnother] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const address = bug.product === '' ? undefined : filingCall(bug.product)
  const product = useData(address).body?.products[0]
  const similar = useSimilar(bug.summary, bug.product)
  const custom = customFieldsFor(bug, { fields, product })
  const needed = custom.filter(({ is_mandatory }) => is_mandatory)
  const faults = faultsIn(bug, needed)
  useEffect(() => {
    if (product === undefined) return
    const next = withTemplate(bug, product)
    const versions = product.versions.filter(({ is_active }) => is_active)
    const version = bug.version === '' && versions.length === 1 ? (versions[0]?.name ?? '') : bug.version
    if (next !== bug || version !== bug.version) change({ ...next, version })
  }, [product])
  // A layout effect, so that the next key that is typed goes into the field.
  useLayoutEffect(() => {
    if (hasMoved()) focusFirstEmpty(form.current)
  }, [])
  useLayoutEffect(() => {
    if (refusal?.field !== undefined) focusInvalid(form.current)
  }, [refusal])
  useLayoutEffect(() => {
    setTried(false)
    if (isAnother) form.current?.querySelector<HTMLElement>('.input-large')?.focus()
  }, [bug.draft])

  const send = useRef(() => {})
  send.current = () => {
    if (isBusy) return
    setTried(true)
    if (faults.size === 0) void filing.file(custom, isAnother)
    // The errors are drawn first.
    else setTimeout(() => focusInvalid(form.current))
  }
  const submit = (event: Event) => {
    event.preventDefault()
    // Leaving a list takes what was typed into it; the bug is sent with it, after the next drawing.
    const { activeElement } = document
    if (activeElement instanceof HTMLElement && activeElement.role === 'combobox') activeElement.blur()
    setTimeout(() => send.current())
  }
  const errorOf = (name: string) => (refusal?.field === name ? refusal.message : isTried ? faults.get(name) : undefined)
  const props = { bug, onBug: change, product, fields, errorOf }
  const problem = refusal?.message ?? (isTried && faults.size > 0 ? [...faults.values()].join(' ') : undefined)
  if (filed !== undefined)
    return (
      <main id="main" class="file-page">
        <Filed id={filed} files={files} isBusy={isBusy} onRetry={() => filing.attach(filed, isAnother)} />
      </main>
    )
  return (
    <main id="main" class="file-page">
      <form class="file-form" ref={form} onSubmit={submit} noValidate>
        <div class="row">
          <h1>File a bug</h1>
          <span class="align-end faint small">The draft is kept in this browser</span>
        </div>
        <Where products={products} {...props} />
        <Summary {...props} />
        <DuplicatesLink found={similar} />
        <Description bug={bug} files={files} onBug={change} onFiles={filing.addFiles} error={errorOf('description')} />
        <Attachments files={files} onRemove={filing.removeFile} areKept={filing.areKept} />
        <MainFields {...props} custom={custom} />
        <MoreFields key={bug.draft} {...props} />
        <WhoSees {...props} error={errorOf('groups')} />
        {problem !== undefined && (
          <div class="note note-danger" role="alert">
            <div>{problem}</div>
          </div>
        )}
        {/* The focus stays where it is: leaving a list could move the button away from the pointer. */}
        <div class="file-foot" onMouseDown={(event) => event.preventDefault()}>
          <Button kind="primary" size="large" type="submit" isBusy={isBusy}>
            {isBusy ? 'Filing…' : 'File bug'}
          </Button>
          <label class="checkbox-label">
            <input class="checkbox" type="checkbox" checked={isAnother} onChange={() => setAnother(!isAnother)} />
            and another one like it
          </label>
          <span class="align-end">
            <Button kind="quiet" onClick={filing.discard}>
              Discard
            </Button>
          </span>
        </div>
      </form>
      <Duplicates found={similar} />
    </main>
  )
}

/** Product, component, summary, description: what is there already comes from the address or a draft. */
function focusFirstEmpty(form: HTMLFormElement | null) {
  const fields =
    form?.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('.combobox input, .input-large, .composer-text') ??
    []
  const [first] = [...fields].filter(({ value }) => value === '')
  first?.focus({ preventScroll: true })
}

function focusInvalid(form: HTMLFormElement | null) {
  form?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
}
