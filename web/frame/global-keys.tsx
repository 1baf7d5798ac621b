import { useState } from 'preact/hooks'
import { currentShortcuts, useKeys } from '../core/keys.ts'
import { go } from '../core/router.ts'
import { Dialog } from '../parts/dialog.tsx'
import { Palette } from './palette.tsx'

/** The keys that work on every page, their list, and the palette. */
export function GlobalKeys() {
  const [open, setOpen] = useState<'keys' | 'palette'>()
  useKeys([
    { keys: 'g h', what: 'Go home', run: () => go('/') },
    { keys: 'g l', what: 'Go to the open bugs', run: () => go('/bugs?status=__open__') },
    { keys: 'g r', what: 'Go to requests', run: () => go('/requests') },
    { keys: 'g p', what: 'Go to products', run: () => go('/products') },
    { keys: 'c', what: 'File a bug', run: () => go('/file') },
    { keys: 'Ctrl+k', what: 'Everything by name', run: () => setOpen('palette') },
    { keys: '?', what: 'Show the keys', run: () => setOpen('keys') },
  ])
  const close = () => setOpen(undefined)
  if (open === 'palette') return <Palette onClose={close} />
  if (open === undefined) return null
  return (
    <Dialog title="Keys" onClose={close}>
      <table class="tbl">
        <tbody>
          {currentShortcuts().map(({ keys, what }) => (
            <tr key={keys}>
              <td>
                {keys.split(' ').map((key) => (
                  <kbd key={key}>{key.replace('+', ' ')}</kbd>
                ))}
              </td>
              <td>{what}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Dialog>
  )
}
