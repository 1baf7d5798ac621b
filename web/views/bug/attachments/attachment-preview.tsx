import { useEffect, useRef, useState } from 'preact/hooks'
import { isPrinting } from '../../../core/printing.ts'
import { attachmentHref, attachmentLink } from '../../../core/server/files.ts'
import { OWN_PAGE } from '../../../core/server/rest.ts'
import type { Attachment } from '../../../core/server/types.ts'
import { Button } from '../../../parts/button.tsx'
import { withStyleApart } from '../../../parts/late.tsx'
import { useIsNear } from '../stream/use-is-near.ts'
import { isPicture, isText } from './attachment-kind.ts'

const LARGEST_TEXT_BYTES = 400_000
const SHORT_LINES = 20

/** Pictures, text and patches are shown; other files can only be saved. */
export function AttachmentPreview({ attachment }: { attachment: Attachment }) {
  if (isPicture(attachment)) return <Picture attachment={attachment} />
  return isText(attachment) && attachment.size <= LARGEST_TEXT_BYTES ? <TextPreview attachment={attachment} /> : null
}

function Picture({ attachment }: { attachment: Attachment }) {
  const [isLarge, setLarge] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const address = usePictureAddress(attachment.id, useIsNear(button) || isPrinting.value)
  return (
    <button
      ref={button}
      type="button"
      class={isLarge ? 'attachment-view is-large' : 'attachment-view'}
      aria-label={isLarge ? 'Show it smaller' : 'Show it larger'}
      onClick={() => setLarge(!isLarge)}
    >
      <img class="attachment-image" src={address} alt={attachment.summary} />
    </button>
  )
}

/** Fetched when the picture can be seen soon, because it works for a few minutes only. */
function usePictureAddress(id: number, isNear: boolean) {
  const [address, setAddress] = useState<string>()
  useEffect(() => {
    if (isNear) attachmentLink(id).then(setAddress, () => undefined)
  }, [id, isNear])
  return address
}

function TextPreview({ attachment }: { attachment: Attachment }) {
  const text = useText(attachment.id)
  if (text === undefined) return null
  return attachment.is_patch ? <Patch text={text} /> : <PlainText text={text} name={attachment.summary} />
}

function useText(id: number) {
  const [text, setText] = useState<string>()
  useEffect(() => {
    const abort = new AbortController()
    fetch(attachmentHref(id), { signal: abort.signal, credentials: 'same-origin', headers: OWN_PAGE })
      .then((response) => (response.ok ? response.text() : ''))
      .then(setText, () => undefined)
    return () => abort.abort()
  }, [id])
  return text
}

function PlainText({ text, name }: { text: string; name: string }) {
  const [isOpen, setOpen] = useState(false)
  const lines = text.split('\n')
  const shown = isOpen ? text : lines.slice(0, SHORT_LINES).join('\n')
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached with keys */}
      <pre class="attachment-text" tabIndex={0} role="region" aria-label={name}>
        {shown}
      </pre>
      {!isOpen && lines.length > SHORT_LINES && (
        <div class="attachment-foot">
          <Button kind="quiet" size="small" icon="down" onClick={() => setOpen(true)}>
            Show all {lines.length} lines
          </Button>
        </div>
      )}
    </>
  )
}

type DiffView = typeof import('./diff.tsx')

/** The module that draws patches is loaded when there is one. */
function Patch({ text }: { text: string }) {
  const [module, setModule] = useState<DiffView>()
  useEffect(() => {
    withStyleApart(import('./diff.tsx')).then(setModule, () => undefined)
  }, [])
  return module === undefined ? <PlainText text={text} name="Patch" /> : <module.Diff text={text} />
}
