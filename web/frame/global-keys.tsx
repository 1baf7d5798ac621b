import { useState } from 'preact/hooks'
import { byKeyName, keyNames } from '../core/key-names.ts'
import { currentShortcuts, useKeys } from '../core/keys.ts'
import { go } from '../core/router.ts'
import { Dialog } from '../parts/dialog.tsx'
import { Palette } from './palette.tsx'

/** The keys that work on every page, their list, and the palette. */
export function GlobalKeys() {
  const [open, setOpen] = useState<'keys' | 'palette'>()
  const isEverywhere = true
  useKeys([
    { keys: 'g h', what: 'Go home', isEverywhere, run: () => go('/') },
    { keys: 'g l', what: 'Go to the open bugs', isEverywhere, run: () => go('/bugs?status=__open__') },
    { keys: 'g i', what: 'Go to the inbox', isEverywhere, run: () => go('/inbox') },
    { keys: 'g r', what: 'Go to requests', isEverywhere, run: () => go('/requests') },
    { keys: 'g t', what: 'Go to triage', isEverywhere, run: () => go('/triage') },
    { keys: 'g p', what: 'Go to products', isEverywhere, run: () => go('/products') },
    { keys: 'c', what: 'File a bug', isEverywhere, run: () => go('/file') },
    { keys: 'Ctrl+k', what: 'Everything by name', isEverywhere, run: () => setOpen('palette') },
    { keys: '?', what: 'Show the keys', isEverywhere, run: () => setOpen('keys') },
  ])
  const close = () => setOpen(undefined)
  if (open === 'palette') return <Palette onClose={close} />
  return open === undefined ? null : <KeyList onClose={close} />
}

/** In the order of the keyboard's letters. Keys that do the same are one line. */
function KeyList({ onClose }: { onClose(): void }) {
  const byDeed = Map.groupBy([...currentShortcuts(), SEND], ({ what }) => what)
  const lines = [...byDeed].map(([what, shortcuts]) => ({
    what,
    all: shortcuts.map(({ keys }) => keys).sort((one, other) => keyNames(one).length - keyNames(other).length),
  }))
  lines.sort((one, other) => byKeyName(one.all[0] ?? '', other.all[0] ?? ''))
  return (
    <Dialog title="Keys" onClose={onClose}>
      <table class="table">
        <tbody>
          {lines.map(({ what, all }) => (
            <tr key={what}>
              <td>
                {all.map((keys, place) => (
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
