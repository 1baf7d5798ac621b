import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { FieldName } from '../../../shared/bug-fields/bug-fields.ts'
import { me } from '../../core/account/session.ts'
import { isShownField } from '../../core/bugs/hidden-fields.ts'
import { personBy } from '../../core/bugs/people.ts'
import { copyText } from '../../core/clipboard.ts'
import { useCommands } from '../../core/keys.ts'
import { hrefOf } from '../../core/router.ts'
import { Button, IconButton } from '../../parts/button.tsx'
import { Priority, Severity } from '../../parts/glyphs.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Person } from '../../parts/person.tsx'
import { ActionsMenu } from './actions-menu.tsx'
import { Neighbours } from './links/neighbours.tsx'
import { closeEditor, leaveEditor, useBase, useTyped } from './properties/editing.ts'
import { ChoiceEditor, PersonEditor } from './properties/editors.tsx'
import { type Property, propertyOf } from './properties/properties.ts'
import { ConflictRow } from './properties/property-row.tsx'
import { changeList, saveValue } from './properties/save.ts'
import { daysUntil, untilInWords } from './properties/values.tsx'
import { StatusMenu } from './status/status-menu.tsx'
import { useBug, useBugStore } from './use-bug.ts'

export function Head() {
  const bug = useBug()
  const productQuery = new URLSearchParams({ product: bug.product, bug_status: '__open__' })
  const componentQuery = new URLSearchParams(productQuery)
  componentQuery.set('component', bug.component)
  return (
    <div class="bug-path">
      <nav class="breadcrumbs" aria-label="Where this is">
        {bug.classification !== undefined && bug.classification !== 'Unclassified' && (
          <>
            <span class="only-wide">{bug.classification}</span>
            <span class="only-wide">/</span>
          </>
        )}
        <a href={hrefOf(`/product/${encodeURIComponent(bug.product)}`)}>{bug.product}</a>
        <span>/</span>
        <a href={hrefOf(`/bugs?${componentQuery}`)}>{bug.component}</a>
        <Neighbours />
      </nav>
      <header class="bug-head">
        <div class="bug-title">
          <Title />
          <Summary />
        </div>
        <div class="bug-actions">
          <Follow />
          <IconButton
            name="Copy number and summary"
            icon="copy"
            onClick={() => copyText(`${bug.id} ${bug.summary}`, 'Number and summary are copied.')}
          />
          <ActionsMenu />
        </div>
      </header>
    </div>
  )
}

/** The summary, which is edited in place. */
function Title() {
  const store = useBugStore()
  const bug = useBug()
  const conflict = store.conflicts.value.get('summary')
  if (store.editing.value === 'summary') return <TitleEditor />
  return (
    <>
      <h1 dir="auto" data-field="summary">
        {bug.groups.length > 0 && (
          <span class="secret" title={`Not public: ${bug.groups.join(', ')}`}>
            <Icon name="lock" />
            <span class="visually-hidden">Not public</span>
          </span>
        )}{' '}
        <span class="title-text">{bug.summary}</span>{' '}
        <span class="title-end">
          <span class="bug-id">{bug.id}</span>
          <EditTitle />
        </span>
      </h1>
      {conflict !== undefined && (
        <dl class="properties">
          <ConflictRow name="summary" conflict={conflict} />
        </dl>
      )}
    </>
  )
}

/** Members who may not change it have an empty place instead, so that nothing moves when their rights are known. */
function EditTitle() {
  const store = useBugStore()
  if (me.value === undefined) return null
  if (!store.may('summary'))
    return (
      <span class="icon-button icon-button-small edit-button title-button is-place" aria-hidden="true">
        <Icon name="edit" />
      </span>
    )
  return (
    <button
      type="button"
      class="icon-button icon-button-small edit-button title-button"
      aria-label="Change Summary"
      title="Change the summary"
      onClick={() => {
        store.editing.value = 'summary'
      }}
    >
      <Icon name="edit" />
    </button>
  )
}

function TitleEditor() {
  const store = useBugStore()
  const base = String(useBase('summary') ?? '')
  const typed = useTyped('summary', base)
  const input = useRef<HTMLTextAreaElement>(null)
  useLayoutEffect(() => input.current?.focus(), [])
  const save = (text: string) => {
    const summary = text.replace(/\s+/g, ' ').trim()
    closeEditor(store, 'summary', summary === base)
    if (summary !== base && summary !== '') void saveValue(store, SUMMARY, summary, base)
  }
  return (
    <textarea
      ref={input}
      class="input title-editor"
      aria-label="Summary"
      maxLength={255}
      rows={2}
      defaultValue={typed}
      onBlur={(event) => store.editing.value === 'summary' && save(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') save(event.currentTarget.value)
        else if (event.key === 'Escape') leaveEditor(store, SUMMARY, event.currentTarget, base)
        else return
        event.preventDefault()
        event.stopPropagation()
      }}
    />
  )
}

const SUMMARY = { name: 'summary', label: 'Summary' }

/** The state of the bug in one line. */
function Summary() {
  const store = useBugStore()
  const bug = useBug()
  const property = (name: FieldName) => propertyOf(name, store.fields.value)
  const due =
    bug.deadline != null && bug.is_open && store.asOf.value === undefined ? daysUntil(bug.deadline) : undefined
  return (
    <div class="bug-facts">
      <StatusMenu />
      <HeadValue property={property('priority')}>
        <Priority value={bug.priority} short={bug.priority === '---'} />
        {bug.priority === '---' && <span class="faint">No priority</span>}
      </HeadValue>
      <HeadValue property={property('severity')}>
        <Severity value={bug.severity} />
      </HeadValue>
      <HeadValue property={property('assigned_to')}>
        <Person person={personBy(bug.assigned_to)} />
      </HeadValue>
      {bug.target_milestone !== '---' && isShownField('target_milestone') && (
        <span class="bug-fact-priority">
          <span class="faint">for</span> <bdi>{bug.target_milestone}</bdi>
        </span>
      )}
      {due !== undefined && (
        <span class={due <= 7 ? 'badge badge-danger' : 'badge'}>
          <Icon name="cal" />
          due {untilInWords(due)}
        </span>
      )}
      {['status', 'priority', 'severity'].map((name) => {
        const conflict = store.conflicts.value.get(name)
        return (
          conflict !== undefined && (
            <dl key={name} class="properties head-conflict">
              <ConflictRow name={name} conflict={conflict} />
            </dl>
          )
        )
      })}
    </div>
  )
}

function HeadValue({ property, children }: { property: Property; children: ComponentChildren }) {
  const store = useBugStore()
  const key = `head ${property.name}`
  if (store.editing.value === key)
    return (
      <span class="head-editor">
        {property.kind === 'person' ? (
          <PersonEditor property={property} editing={key} />
        ) : (
          <ChoiceEditor property={property} editing={key} />
        )}
      </span>
    )
  if (!store.may(property.name))
    return (
      <span class="bug-fact" data-field={property.name}>
        <span class="visually-hidden">{property.label}: </span>
        {children}
      </span>
    )
  return (
    <button
      type="button"
      class="bug-fact"
      data-head={key}
      title={`Change ${property.label}`}
      onClick={() => {
        store.editing.value = key
      }}
    >
      <span class="visually-hidden">{property.label}: </span>
      {children}
    </button>
  )
}

function Follow() {
  const store = useBugStore()
  const bug = useBug()
  const who = store.asOf.value === undefined ? me.value : undefined
  const isFollowed = who !== undefined && bug.cc.includes(who.name)
  const follow = () => {
    if (who !== undefined)
      void changeList(store, { name: 'cc', label: 'CC' }, { [isFollowed ? 'remove' : 'add']: [who.name] })
  }
  useCommands(who === undefined ? [] : [{ name: isFollowed ? 'Follow no longer' : 'Follow this bug', run: follow }])
  if (who === undefined) return null
  return (
    <Button {...(isFollowed && { icon: 'check' })} onClick={follow}>
      {isFollowed ? 'Following' : 'Follow'}
    </Button>
  )
}
