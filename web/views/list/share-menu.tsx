import { useState } from 'preact/hooks'
import { searchOf } from '../../../shared/first-calls.ts'
import { addressWith } from '../../../shared/rest-address.ts'
import { me } from '../../core/account/session.ts'
import type { FieldList } from '../../core/bugs/fields.ts'
import { copyText } from '../../core/clipboard.ts'
import { useCommands } from '../../core/keys.ts'
import { go, query } from '../../core/router.ts'
import { openResponse } from '../../core/server/files.ts'
import { Icon } from '../../parts/icon.tsx'
import { late } from '../../parts/late.tsx'
import { Menu, type MenuItem } from '../../parts/menu.tsx'
import { titleOf } from './criteria/filters.ts'
import { queryToSave } from './saved-query.ts'
import { chosenColumns } from './table/columns.tsx'

const SaveSearch = late(async () => (await import('./save-search.tsx')).SaveSearch)

/** Save, share, schedule, and the other formats of a list. */
export function ShareMenu({ fields, onPrint }: { fields: FieldList; onPrint: (() => void) | undefined }) {
  const [isSaving, setSaving] = useState(false)
  const needsLogin = me.value === undefined ? 'Log in first' : undefined
  const open = (type: 'csv' | 'atom' | 'ics') => void openResponse(formatAddress(type, fields), `bugs.${type}`)
  const items: (MenuItem | 'line')[] = [
    { name: 'Save, share or mail this search', icon: 'save', refused: needsLogin, run: () => setSaving(true) },
    {
      name: 'Saved searches: rename, delete',
      icon: 'edit',
      refused: needsLogin,
      run: () => go('/settings/searches'),
    },
    { name: 'Copy the link', icon: 'link', run: () => void copyLink() },
    'line',
    { name: 'Reports and charts', icon: 'chart', run: () => go(`/reports?${searchOf(query.value)}`) },
    { name: 'Table (CSV)', icon: 'table', run: () => open('csv') },
    { name: 'Feed (Atom)', icon: 'globe', run: () => open('atom') },
    { name: 'Calendar of deadlines', icon: 'cal', run: () => open('ics') },
    ...(onPrint === undefined ? [] : [{ name: 'Print', icon: 'file', run: onPrint }]),
  ]
  useCommands(items)
  return (
    <>
      <Menu
        label="Save, share, CSV, Atom, calendar"
        at="end"
        buttonClass="icon-button icon-button-small"
        button={<Icon name="more" />}
        items={items}
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

/** Without chosen columns, a table has those of the saved search, or the usual ones of tables. */
function formatAddress(type: string, fields: FieldList) {
  const search = searchOf(query.value)
  search.set('ctype', type)
  const columns = chosenColumns(query.value, fields).map(({ name }) => name)
  if (type === 'csv' && query.value.has('columns')) search.set('include_fields', columns.join())
  return addressWith('/bug', search)
}

function copyLink() {
  return copyText(
    location.href,
    'The link is copied. Others see the bugs that they may see.',
    `The browser does not allow copying. The link is ${location.href}`,
  )
}
