import { useState } from 'preact/hooks'
import { go, goWith } from '../../core/router.ts'
import { post, put, RestError, remove } from '../../core/server/rest.ts'
import { showFault, showToast } from '../../core/toasts.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Menu, type MenuItem } from '../../parts/menu.tsx'
import { ShareDialog } from './share-dialog.tsx'
import type { Dashboard } from './tiles.ts'

interface Props {
  dashboard: Dashboard
  save(changes: { name: string; shared_with: string[] }): Promise<void>
}

/** What is done with the whole dashboard. */
export function DashboardMenu({ dashboard, save }: Props) {
  const [open, setOpen] = useState<'share' | 'delete'>()
  const close = () => setOpen(undefined)
  const items: (MenuItem | 'line')[] = [
    { name: 'Show on a wall', icon: 'eye', run: () => goWith({ wall: '1', edit: undefined }, 'push') },
    { name: 'Make a copy of my own', icon: 'copy', run: () => void copy(dashboard) },
    ...(dashboard.can_change
      ? ([
          { name: 'Name and sharing', icon: 'users', run: () => setOpen('share') },
          'line',
          { name: 'Delete', icon: 'trash', isDangerous: true, run: () => setOpen('delete') },
        ] as const)
      : []),
  ]
  return (
    <>
      <Menu label="Wall, copy, share, delete" at="end" button={<Icon name="more" />} items={items} />
      {open === 'share' && <ShareDialog dashboard={dashboard} save={save} onClose={close} />}
      {open === 'delete' && <DeleteDialog dashboard={dashboard} onClose={close} />}
    </>
  )
}

async function copy({ name, tiles }: Dashboard) {
  try {
    const { id, missing } = await copied(`${name.slice(0, 50)} (copy)`, tiles)
    go(`/dashboard/${id}`)
    const without = missing.map((title) => `“${title}”`).join(', ')
    showToast({
      kind: 'done',
      text: `This is a copy of your own${missing.length === 0 ? '' : `, without what you cannot count: ${without}`}.`,
    })
  } catch (fault) {
    showFault(fault)
  }
}

/** A tile that the reader cannot count, such as one with a field that they may not see, does not keep the others from being copied. */
async function copied(name: string, tiles: Dashboard['tiles']): Promise<{ id: number; missing: string[] }> {
  try {
    return { ...(await post('/dashboard', { name, tiles })), missing: [] }
  } catch (fault) {
    if (!isAboutTile(fault)) throw fault
  }
  const { id } = await post('/dashboard', { name })
  const kept: Dashboard['tiles'] = []
  const missing: string[] = []
  for (const tile of tiles)
    try {
      await put('/dashboard/:id', { id, tiles: [...kept, tile] })
      kept.push(tile)
    } catch (fault) {
      if (!isAboutTile(fault)) throw fault
      missing.push(tile.title)
    }
  return { id, missing }
}

function isAboutTile(fault: unknown) {
  return fault instanceof RestError && fault.field === 'tiles.query'
}

function DeleteDialog({ dashboard, onClose }: { dashboard: Dashboard; onClose(): void }) {
  const { id, name, shared_with } = dashboard
  const deleteIt = async () => {
    try {
      await remove('/dashboard/:id', { id })
      go('/dashboards')
      showToast({ kind: 'done', text: `“${name}” is deleted.` })
    } catch (fault) {
      onClose()
      showFault(fault)
    }
  }
  return (
    <Dialog
      title={`Delete “${name}”?`}
      onClose={onClose}
      buttons={
        <>
          <Button onClick={onClose}>Keep it</Button>
          <Button kind="danger" onClick={() => void deleteIt()}>
            Delete the dashboard
          </Button>
        </>
      }
    >
      <p>
        The dashboard is deleted{shared_with.length > 0 && `. Members of ${shared_with.join(', ')} lose it too`}. No bug
        is changed.
      </p>
    </Dialog>
  )
}
