import { USUAL_COLUMNS } from '../../../core/bugs/field-places.ts'
import type { FieldList } from '../../../core/bugs/fields.ts'
import { useCommands } from '../../../core/keys.ts'
import { goWith, query } from '../../../core/router.ts'
import { Icon } from '../../../parts/icon.tsx'
import { Menu } from '../../../parts/menu.tsx'
import { allColumns, chosenColumns } from './columns.tsx'

/** Which columns are shown. The address keeps them, so that a link shows the same. */
export function ColumnsMenu({ fields }: { fields: FieldList }) {
  const chosen = chosenColumns(query.value, fields).map(({ name }) => name)
  const toggle = (name: string) => {
    const next = chosen.includes(name) ? chosen.filter((it) => it !== name) : [...chosen, name]
    goWith({ columns: next.join(',') === USUAL_COLUMNS.join(',') ? undefined : next.join(',') })
  }
  const open = () => document.querySelector<HTMLElement>('.tool-bar-buttons [aria-label=Columns]')?.click()
  useCommands([{ name: 'Columns: choose what is shown', run: open }])
  return (
    <Menu
      label="Columns"
      at="end"
      buttonClass="icon-button icon-button-small"
      button={<Icon name="columns" />}
      items={[
        ...allColumns(fields).map(({ name, title }) => ({
          name: title,
          ...(chosen.includes(name) && { icon: 'check' }),
          ...(name === 'id' || name === 'summary' ? { refused: 'always' } : {}),
          run: () => toggle(name),
        })),
        'line',
        { name: 'The usual columns', run: () => goWith({ columns: undefined }) },
      ]}
    />
  )
}
