import { useState } from 'preact/hooks'
import { byKeyName, keyNames } from '../core/key-names.ts'
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
  return open === undefined ? null : <KeyList onClose={close} />
}

/** In the order of the keyboard's letters. Keys that do the same are one line. */
function KeyList({ onClose }: { onClose(): void }) {
  const sorted = currentShortcuts().toSorted((one, other) => byKeyName(one.keys, other.keys))
  const byDeed = Map.groupBy([...sorted, SEND], ({ what }) => what)
  return (
    <Dialog title="Keys" onClose={onClose}>
      <table class="tbl">
        <tbody>
          {[...byDeed].map(([what, shortcuts]) => (
            <tr key={what}>
              <td>
                {shortcuts.map(({ keys }, place) => (
                  <span key={keys}>
                    {place > 0 && ' or '}
                    {keyNames(keys).map((key, at) => (
                      <kbd key={at}>{key}</kbd>
                    ))}
                  </span>
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

const SEND = { keys: 'Ctrl+Enter', what: 'Send what is written' }
