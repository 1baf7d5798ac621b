import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { type View as Address, FIELDS_CALL, PRODUCTS_CALL, productCall } from '../addresses.ts'
import { dropDraft, keepDraft, readDraft } from '../core/drafts.ts'
import { idempotencyKey, post } from '../core/rest.ts'
import { bugAddress, go, hrefOf, query } from '../core/router.ts'
import { me } from '../core/session.ts'
import { useTitle } from '../core/title.ts'
import { show } from '../core/toasts.ts'
import type { Field, Product } from '../core/types.ts'
import { useData } from '../core/use-data.ts'
import { Button } from '../parts/button.tsx'
import { Empty, Refused, Skeleton } from '../parts/states.tsx'
import { Attachments, type NewFile, sendFiles } from './file/attachments.tsx'
import { Duplicates } from './file/duplicates.tsx'
import { BugFields, Description, Summary } from './file/fields.tsx'
import { bodyOf, customFieldsFor, EMPTY_BUG, faultsIn, type NewBug } from './file/new-bug.ts'
import { Where } from './file/where.tsx'

const DRAFT = 'file'

export function View({ parts }: { parts: Address['parts'] }) {
  useTitle('File a bug')
  const products = useData<{ products: Product[] }>(PRODUCTS_CALL)
  const fields = useData<{ fields: Field[] }>(FIELDS_CALL)
  if (me.value === undefined) return <LogInFirst />
  const fault = products.fault ?? fields.fault
  if (fault !== undefined) return <Refused fault={fault} retry={products.reload} />
  if (products.body === undefined || fields.body === undefined) return <Skeleton />
  return <Form products={products.body.products} fields={fields.body.fields} parts={parts} />
}

function LogInFirst() {
  return (
    <main id="main" class="page">
      <Empty icon="lock" title="Log in to file a bug">
        <a class="btn btn-primary" href={hrefOf(`/login?to=${encodeURIComponent('/file')}`)}>
          Log in
        </a>
      </Empty>
    </main>
  )
}

/** What the address says comes before the draft. */
function firstBug(parts: Address['parts']): NewBug {
  const draft = readDraft<NewBug>(DRAFT) ?? EMPTY_BUG
  const { product = draft.product, component } = parts
  const isOther = product !== draft.product
  const values = { ...draft.values }
  let { summary, description } = draft
  for (const [name, value] of query.value) {
    if (name === 'summary' || name === 'short_desc') summary = value
    else if (name === 'description' || name === 'comment') description = value
    else if (name !== 'version') values[name] = value
  }
  return {
    ...draft,
    product,
    component: component ?? (isOther ? '' : draft.component),
    version: query.value.get('version') ?? (isOther ? '' : draft.version),
    summary,
    description,
    values,
  }
}

interface FormProps {
  products: readonly Product[]
  fields: readonly Field[]
  parts: Address['parts']
}

function Form({ products, fields, parts }: FormProps) {
  const [bug, setBug] = useState(() => firstBug(parts))
  const [files, setFiles] = useState<readonly NewFile[]>([])
  const [isSent, setSent] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<string>()
  const form = useRef<HTMLFormElement>(null)
  const key = useMemo(idempotencyKey, [bug])
  const product = useData<{ products: Product[] }>(bug.product === '' ? undefined : productCall(bug.product)).body
    ?.products[0]
  const custom = customFieldsFor(fields, bug)
  const faults = faultsIn(
    bug,
    custom.filter(({ is_mandatory }) => is_mandatory),
  )
  useEffect(() => keepDraft(DRAFT, bug), [bug])
  useEffect(() => {
    const versions = (product?.versions ?? []).filter(({ is_active }) => is_active)
    if (bug.version === '' && versions.length === 1) setBug({ ...bug, version: versions[0]?.name ?? '' })
  }, [product])

  const submit = async (event: Event) => {
    event.preventDefault()
    setSent(true)
    setRefusal(undefined)
    if (faults.size > 0) return form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
    setBusy(true)
    try {
      const { id } = await post<{ id: number }>('/rest/bug', bodyOf(bug, custom), key)
      await sendFiles(id, files)
      dropDraft(DRAFT)
      show({ kind: 'done', text: `Bug ${id} is filed.` })
      go(bugAddress(id))
    } catch (fault) {
      setRefusal((fault as Error).message)
    }
    setBusy(false)
  }
  const errorOf = (name: string) => (isSent ? faults.get(name) : undefined)
  return (
    <main id="main" class="fileb">
      <form class="fform" ref={form} onSubmit={submit} noValidate>
        <div class="row">
          <h1>File a bug</h1>
          <span class="push faint small">The draft is kept in this browser</span>
        </div>
        <Where products={products} product={product} bug={bug} onBug={setBug} errorOf={errorOf} />
        <Summary bug={bug} onBug={setBug} error={errorOf('summary')} />
        <Description bug={bug} onBug={setBug} onFiles={(more) => setFiles([...files, ...more])} />
        <Attachments files={files} onFiles={setFiles} />
        <BugFields bug={bug} onBug={setBug} product={product} fields={fields} custom={custom} errorOf={errorOf} />
        {(refusal !== undefined || (isSent && faults.size > 0)) && (
          <div class="note note-danger" role="alert">
            <div>{refusal ?? [...faults.values()].join(' ')}</div>
          </div>
        )}
        <div class="ffoot">
          <Button kind="primary" size="l" type="submit" isBusy={isBusy}>
            {isBusy ? 'Filing…' : 'File bug'}
          </Button>
          <Button
            kind="quiet"
            onClick={() => {
              const before = bug
              setBug({ ...EMPTY_BUG })
              show({
                kind: 'done',
                text: 'The draft is discarded.',
                action: { name: 'Undo', run: () => setBug(before) },
              })
            }}
          >
            Discard
          </Button>
        </div>
      </form>
      <Duplicates summary={bug.summary} product={bug.product} />
    </main>
  )
}
