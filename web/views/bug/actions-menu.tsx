import { useState } from 'preact/hooks'
import { addressOf } from '../../../shared/rest-address.ts'
import { me } from '../../core/account/session.ts'
import { copyText } from '../../core/clipboard.ts'
import { useCommands, useKeys } from '../../core/keys.ts'
import { bugAddress, go, goWith, hrefOf } from '../../core/router.ts'
import { openResponse } from '../../core/server/files.ts'
import { Icon } from '../../parts/icon.tsx'
import { Menu, type MenuItem } from '../../parts/menu.tsx'
import { AccessDialog } from './access/late-access-dialog.ts'
import { RemindDialog } from './access/late-remind-dialog.ts'
import type { BugStore } from './bug-store.ts'
import { seldom } from './stream/late-comment-parts.ts'
import { useBug, useBugStore } from './use-bug.ts'

/** The address of the form, filled in like this bug. */
export function cloneAddress({ id }: BugStore): string {
  return `/file?clone=${id}`
}

export function ActionsMenu() {
  const store = useBugStore()
  const bug = useBug()
  const [isAsking, setAsking] = useState(false)
  const [isReminding, setReminding] = useState(false)
  const isMember = me.value !== undefined
  useKeys([
    {
      keys: '.',
      what: 'Actions',
      run: () => document.querySelector<HTMLElement>('.bug-actions [aria-haspopup=menu]')?.click(),
    },
  ])
  const copyLink = () => copyText(`${location.origin}${hrefOf(bugAddress(bug.id))}`, 'The link is copied.')
  useKeys([{ keys: 'y', what: 'Copy the link', run: () => void copyLink() }])
  const items: (MenuItem | 'line')[] = [
    { name: 'Copy the link', icon: 'link', note: 'Y', run: () => void copyLink() },
    { name: 'History', icon: 'history', run: () => goWith({ view: 'history' }, 'push') },
    {
      name: 'As it was on…',
      icon: 'clock',
      run: () => goWith({ as_of: bug.creation_time, view: undefined }, 'push'),
    },
    ...(isMember ? [{ name: 'Remind me…', icon: 'clock' as const, run: () => setReminding(true) }] : []),
    { name: 'Dependency tree', icon: 'tree', run: () => goWith({ view: 'tree' }, 'push') },
    { name: 'Dependency graph', icon: 'chart', run: () => goWith({ view: 'graph' }, 'push') },
    'line',
    { name: 'Clone', icon: 'dup', run: () => go(cloneAddress(store)) },
    { name: 'Print', icon: 'file', run: () => print() },
    ...(store.may('restrict_comments')
      ? [
          {
            name: bug.restrict_comments ? 'Let everybody comment' : 'Let only editors comment',
            icon: 'comment',
            run: () => void seldom((it) => it.restrictComments(store, !bug.restrict_comments)),
          },
        ]
      : []),
    ...(isMember ? [{ name: 'Who sees it, and what I may do', icon: 'lock', run: () => setAsking(true) }] : []),
    {
      name: 'As JSON',
      icon: 'code',
      run: () => void openResponse(addressOf('/bug/:ref', { ref: bug.id }), `bug-${bug.id}.json`),
    },
  ]
  useCommands(items)
  return (
    <>
      <Menu label="Actions" at="end" button={<Icon name="more" />} items={items} />
      {isReminding && <RemindDialog bug={bug.id} onClose={() => setReminding(false)} />}
      {isAsking && <AccessDialog onClose={() => setAsking(false)} />}
    </>
  )
}
