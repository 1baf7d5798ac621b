import { useEffect, useState } from 'preact/hooks'
import { proposalsOfBugCall } from '../../../shared/first-calls.ts'
import { addressOf } from '../../../shared/rest-address.ts'
import { me } from '../../core/account/session.ts'
import { currentAddress, goWith, hrefOf, query } from '../../core/router.ts'
import { get } from '../../core/server/rest.ts'
import { useData } from '../../core/server/use-data.ts'
import { Icon } from '../../parts/icon.tsx'
import { late, withStyleApart } from '../../parts/late.tsx'
import { Skeleton } from '../../parts/states.tsx'
import { AttachmentList } from './attachments/attachment-list.tsx'
import { BugKeys } from './bug-keys.tsx'
import type { BugStore } from './bug-store.ts'
import { Composer } from './composer/composer.tsx'
import { LiveUpdates } from './live-updates.tsx'
import { PhoneFields, PhoneWrite } from './phone.tsx'
import { Side } from './side.tsx'
import { Latest, Stream } from './stream/stream.tsx'
import { useBug, useBugStore } from './use-bug.ts'

const AsOf = late(async () => (await import('./stream/as-of.tsx')).AsOf)
const HistoryTable = late(async () => (await withStyleApart(import('./stream/history-table.tsx'))).HistoryTable)
const lastParts = async () => {
  // The page comes first, and who only passes by is not shown to others.
  await new Promise((resolve) => setTimeout(resolve, 3000))
  return import('./last-parts.ts')
}
const Presence = late(async () => (await lastParts()).Presence)
const AboveComposer = late(async () => (await lastParts()).AboveComposer)
const Proposals = late(async () => (await withStyleApart(import('./proposals.tsx'))).Proposals)
const Answers = late(async () => (await import('./stream/answers.tsx')).Answers)
const AttachForm = late(async () => (await import('./attachments/attach-form.tsx')).AttachForm)

export function BugBody({ asOf }: { asOf: string | undefined }) {
  const store = useBugStore()
  const fault = useAsOf(store, asOf)
  const proposals = useData(me.value && proposalsOfBugCall(store.ref)).body?.total
  const view = query.value.get('view') ?? ''
  if (view === 'tree' || view === 'graph') return <GraphView kind={view} />
  return (
    <div class="bug-body">
      <div class="stream">
        {asOf !== undefined && <AsOf at={asOf} fault={fault} />}
        <Latest />
        {store.comments.value.some((comment) => comment.is_answer) && <Answers />}
        <PhoneFields />
        {proposals ? <Proposals /> : null}
        <Tabs view={view} />
        <LiveUpdates />
        {view === 'history' ? (
          <HistoryTable />
        ) : view === 'attachments' ? (
          <AttachmentList />
        ) : (
          <Stream commentsOnly={view === 'comments'} />
        )}
        {asOf === undefined && me.value && <AboveComposer />}
        {asOf === undefined && view !== 'history' && <Composer />}
        {currentAddress.value.hash === 'attach' && store.may('comment') && <AttachForm />}
      </div>
      <Side />
      <PhoneWrite />
      <BugKeys />
    </div>
  )
}

/** Reads the bug as it was at the time in the address. Returns the reason if that fails. */
function useAsOf(store: BugStore, at: string | undefined): string | undefined {
  const id = store.bug.value?.id
  const [fault, setFault] = useState<string>()
  useEffect(() => {
    store.asOf.value = at
    setFault(undefined)
    if (at === undefined || id === undefined) {
      store.past.value = undefined
      return
    }
    const abort = new AbortController()
    get(addressOf('/bug/:ref', { ref: id, as_of: at }), abort.signal).then(
      ({ bugs }) => {
        if (!abort.signal.aborted) store.past.value = bugs[0]
      },
      (reason: Error) => !abort.signal.aborted && setFault(reason.message),
    )
    return () => abort.abort()
  }, [store, at, id])
  return fault
}

function Tabs({ view }: { view: string }) {
  const { attachments, commentCount } = useBugStore()
  const tab = (name: string, words: string, count?: number) => (
    <a
      key={name}
      href={hrefOf(currentAddress.value.path + (name === '' ? '' : `?view=${name}`))}
      aria-current={view === name ? 'page' : undefined}
    >
      {words}
      {count !== undefined && <span class="faint"> {count}</span>}
    </a>
  )
  const isNewest = query.value.get('order') === 'newest'
  return (
    <div class="stream-head">
      <nav class="tabs" aria-label="What is shown">
        {tab('', 'Everything')}
        {tab('comments', 'Comments', commentCount.value)}
        {attachments.value.length > 0 && tab('attachments', 'Attachments', attachments.value.length)}
        {tab('history', 'History')}
      </nav>
      {me.value && <Presence />}
      {(view === '' || view === 'comments') && (
        <button
          type="button"
          class="button button-quiet button-small align-end only-wide"
          onClick={() => goWith({ order: isNewest ? undefined : 'newest' })}
        >
          <Icon name="sort" />
          {isNewest ? 'Newest first' : 'Oldest first'}
        </button>
      )}
    </div>
  )
}

type GraphModule = typeof import('./links/graph.tsx')

/** The module that draws trees and graphs is loaded when one is wanted. */
function GraphView({ kind }: { kind: 'tree' | 'graph' }) {
  const [module, setModule] = useState<GraphModule>()
  const { id } = useBug()
  useEffect(() => {
    withStyleApart(import('./links/graph.tsx')).then(setModule, () => undefined)
  }, [])
  return module === undefined ? <Skeleton /> : <module.DependencyView kind={kind} key={id} />
}
