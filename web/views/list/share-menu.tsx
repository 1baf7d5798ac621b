import { useState } from 'preact/hooks'
import { me } from '../../core/account/session.ts'
import type { FieldList } from '../../core/bugs/fields.ts'
import { go, hrefOf, query } from '../../core/router.ts'
import { showToast } from '../../core/toasts.ts'
import { searchOf } from '../../first-calls.ts'
import { Icon } from '../../parts/icon.tsx'
import { Menu } from '../../parts/menu.tsx'
import { titleOf } from './criteria/filters.ts'
import { SaveSearch } from './save-search.tsx'
import { queryToSave } from './saved-query.ts'

/** Save, share, schedule, and the other formats of a list. */
export function ShareMenu({ fields, onPrint }: { fields: FieldList; onPrint: (() => void) | undefined }) {
  const [isSaving, setSaving] = useState(false)
  const needsLogin = me.value === undefined ? 'Log in first' : undefined
  const open = (type: 'csv' | 'atom' | 'ics') => location.assign(formatAddress(type))
  return (
    <>
      <Menu
        label="Save, share, CSV, Atom, calendar"
        at="end"
        buttonClass="ibtn ibtn-s"
        button={<Icon name="more" />}
        items={[
          { name: 'Save, share or mail this search', icon: 'save', refused: needsLogin, run: () => setSaving(true) },
          {
            name: 'Saved searches: rename, delete',
            icon: 'edit',
            refused: needsLogin,
            run: () => go('/settings/searches'),
          },
          { name: 'Copy the link', icon: 'link', run: () => void copyLink() },
          'line',
          { name: 'Table (CSV)', icon: 'table', run: () => open('csv') },
          { name: 'Feed (Atom)', icon: 'globe', run: () => open('atom') },
          { name: 'Calendar of deadlines', icon: 'cal', run: () => open('ics') },
          ...(onPrint === undefined ? [] : [{ name: 'Print', icon: 'file', run: onPrint }]),
        ]}
      />
      {isSaving && (
        <SaveSearch
          title={titleOf(query.value, fields)}
          query={() => queryToSave(query.value, fields)}
          onClose={() => setSaving(false)}
        />
      )}
    </>
  )
}

function formatAddress(type: string) {
  const search = searchOf(query.value)
  search.set('ctype', type)
  const columns = query.value.get('columns')
  if (type === 'csv' && columns !== null) search.set('include_fields', columns)
  return hrefOf(`/rest/bug?${search}`)
}

async function copyLink() {
  try {
    await navigator.clipboard.writeText(location.href)
    showToast({ kind: 'done', text: 'The link is copied. Others see the bugs that they may see.' })
  } catch {
    showToast({ kind: 'failed', text: `The browser does not allow copying. The link is ${location.href}` })
  }
}
