import { currentShortcuts } from '../core/keys.ts'
import { get } from '../core/rest.ts'
import { bugAddress, go } from '../core/router.ts'
import type { Bug } from '../core/types.ts'
import { Combobox, matching, type Option } from '../parts/combobox.tsx'
import { Dialog } from '../parts/dialog.tsx'

const PLACES: readonly Option[] = [
  { value: '/', name: 'Home' },
  { value: '/bugs?quicksearch=ALL', name: 'All bugs' },
  { value: '/file', name: 'File a bug' },
  { value: '/requests', name: 'Requests' },
  { value: '/products', name: 'Products' },
  { value: '/settings', name: 'Settings' },
  { value: '/help', name: 'Help' },
]

const MOST_BUGS = 8

/** Everything by name: what can be done here, bugs, and places. */
export function Palette({ onClose }: { onClose(): void }) {
  const options = async (text: string): Promise<readonly Option[]> => {
    const actions = currentShortcuts()
      .filter(({ keys }) => keys !== 'Ctrl+k')
      .map(({ keys, what }) => ({ value: `key ${keys}`, name: what, note: keys }))
    const here = matching([...actions, ...PLACES], text, 8)
    return text.trim().length < 2 ? here : [...here, ...(await bugsLike(text))]
  }
  const choose = ({ value }: Option) => {
    onClose()
    const shortcut = currentShortcuts().find(({ keys }) => `key ${keys}` === value)
    if (shortcut === undefined) go(value)
    else shortcut.run(new KeyboardEvent('keydown'))
  }
  return (
    <Dialog title="Go to, or do" onClose={onClose}>
      <Combobox label="Go to, or do" value="" options={options} onChoice={choose} hasFocus />
    </Dialog>
  )
}

async function bugsLike(text: string): Promise<Option[]> {
  const search = new URLSearchParams({
    quicksearch: text,
    include_fields: 'id,summary,status',
    limit: String(MOST_BUGS),
  })
  const { bugs } = await get<{ bugs: Pick<Bug, 'id' | 'summary' | 'status'>[] }>(`/rest/bug?${search}`)
  return bugs.map(({ id, summary, status }) => ({ value: bugAddress(id), name: `${id} ${summary}`, note: status }))
}
