import { useState } from 'preact/hooks'
import { currentCommands, currentShortcuts } from '../core/keys.ts'
import { go } from '../core/router.ts'
import { Combobox, type Option } from '../parts/combobox.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { useScript } from '../parts/late.tsx'

/** Finds everything by name: actions, pages, products, components, searches, people and bugs. `>` finds only actions, `#` only bugs, `@` only people. */
export function Palette({ onClose }: { onClose(): void }) {
  const [optionsOf] = useState(async () => (await import('./palette-options.ts')).paletteOptions())
  useScript(() => optionsOf)
  const optionsFor = async (text: string) => (await optionsOf)(text)
  const choose = ({ value }: Option) => {
    onClose()
    const command = currentCommands().find(({ name }) => `do ${name}` === value)
    if (command !== undefined) return void setTimeout(() => command.run())
    const shortcut = currentShortcuts().find(({ keys }) => `key ${keys}` === value)
    if (shortcut === undefined) go(value)
    // Once the palette is closed: before that, nothing else can have the focus.
    else setTimeout(() => shortcut.run(new KeyboardEvent('keydown')))
  }
  return (
    <Dialog title="Go to, or do" onClose={onClose} isQuick>
      <div
        onKeyDownCapture={(event) => {
          // One Escape closes it, because there is no earlier text to restore.
          if (event.key !== 'Escape') return
          event.preventDefault()
          event.stopPropagation()
          onClose()
        }}
      >
        <Combobox label="Go to, or do" value="" options={optionsFor} onChoice={choose} hasFocus />
      </div>
      <p class="faint small only-wide">
        <kbd>&gt;</kbd> what can be done here, <kbd>#</kbd> bugs, <kbd>@</kbd> people
      </p>
    </Dialog>
  )
}
