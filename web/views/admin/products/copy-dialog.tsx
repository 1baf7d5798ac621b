import { useEffect, useState } from 'preact/hooks'
import type { Answer } from '../../../../client/call-types.ts'
import { go } from '../../../core/router.ts'
import { put } from '../../../core/server/rest.ts'
import { showToast } from '../../../core/toasts.ts'
import { Button } from '../../../parts/button.tsx'
import { Dialog } from '../../../parts/dialog.tsx'
import { FieldError, TextField } from '../../../parts/field.tsx'
import { EffectList } from '../changes/effect-list.tsx'
import { refusalInWords } from '../changes/effects-in-words.ts'
import type { ProductState } from './product-state.ts'

type Copied = Answer<'POST /product/:ref/copy'>['copied']

const AFTER_TYPING_MILLISECONDS = 400
const LONGEST_NAME = 64
const ENDING = ' (copy)'

/** A product like this one. What it gets is asked of the server for each name, before it is made. */
export function CopyDialog({ state, onClose }: { state: ProductState; onClose(): void }) {
  const { product } = state
  const [name, setName] = useState(`${product.name.slice(0, LONGEST_NAME - ENDING.length)}${ENDING}`)
  const [description, setDescription] = useState(product.description)
  const [copied, setCopied] = useState<Copied>()
  const [refusal, setRefusal] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const send = async (dry_run: boolean): Promise<Copied> => {
    const change = { method: 'POST' as const, path: `/rest/product/${product.id}/copy`, params: { name, description } }
    const { responses } = await put('/admin/changes', { changes: [change], dry_run })
    return (responses[0] as unknown as { copied: Copied }).copied
  }
  const refuse = (fault: Error) => setRefusal(refusalInWords(fault.message, [['The copy']]))
  useEffect(() => {
    let isOld = false
    setCopied(undefined)
    setRefusal(undefined)
    const timer = setTimeout(() => {
      send(true).then(
        (found) => isOld || setCopied(found),
        (fault) => isOld || refuse(fault),
      )
    }, AFTER_TYPING_MILLISECONDS)
    return () => {
      isOld = true
      clearTimeout(timer)
    }
  }, [name, description])
  const make = async (event: Event) => {
    event.preventDefault()
    if (isBusy || refusal !== undefined) return
    setBusy(true)
    try {
      await send(false)
      onClose()
      go(`/admin/products/${encodeURIComponent(name.trim())}`)
      showToast({ kind: 'done', text: `The product ${name.trim()} is there, like ${product.name} and without bugs.` })
    } catch (fault) {
      refuse(fault as Error)
      setBusy(false)
    }
  }
  return (
    <Dialog title={`Copy ${product.name} as a new product`} onClose={onClose}>
      <form class="stack" onSubmit={make}>
        <TextField label="Name of the new product" isNeeded isFocused value={name} onText={setName} />
        <TextField label="What it is" isNeeded value={description} onText={setDescription} />
        <div aria-live="polite" aria-busy={copied === undefined && refusal === undefined}>
          {copied === undefined && refusal === undefined && <p class="faint">Counting…</p>}
          {copied !== undefined && <EffectList effects={inWords(copied).map((text) => ({ text }))} />}
          {refusal !== undefined && <FieldError error={refusal} />}
        </div>
        <div class="dialog-actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" isBusy={isBusy} unavailable={refusal}>
            Create the product
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

function inWords({ components, versions, milestones, group_controls, flag_types }: Copied): string[] {
  return [
    `It gets ${count(components, 'component')} with owners and watchers, ${count(versions, 'version')} and ${count(milestones, 'milestone')}.`,
    group_controls === 0
      ? 'Everybody sees its bugs, as those of this product.'
      : `${count(group_controls, 'group')} may do in it what ${group_controls === 1 ? 'it may' : 'they may'} do here.`,
    flag_types === 0
      ? 'No flag type names this product, so that none changes.'
      : `${count(flag_types, 'flag type')} that ${flag_types === 1 ? 'names' : 'name'} this product will name it, too.`,
    'It gets no bugs.',
  ]
}

function count(number: number, noun: string) {
  return number === 1 ? `1 ${noun}` : `${number} ${noun}s`
}
