import { useEffect, useState } from 'preact/hooks'
import { root } from '../../../core/server/rest.ts'
import type { Attachment } from '../../../core/server/types.ts'
import { Button } from '../../../parts/button.tsx'
import { isPicture, isText } from './attachment-kind.ts'

const LARGEST_TEXT_BYTES = 400_000
const SHORT_LINES = 20

/** Pictures, text and patches are shown; other files can only be saved. */
export function AttachmentPreview({ attachment }: { attachment: Attachment }) {
  if (isPicture(attachment)) return <Picture attachment={attachment} />
  return isText(attachment) && attachment.size <= LARGEST_TEXT_BYTES ? <TextPreview attachment={attachment} /> : null
}

function dataAddress(id: number) {
  return `${root}/rest/bug/attachment/${id}/data`
}

function Picture({ attachment }: { attachment: Attachment }) {
  const [isLarge, setLarge] = useState(false)
  return (
    <button
      type="button"
      class={isLarge ? 'at-view is-large' : 'at-view'}
      aria-label={isLarge ? 'Show it smaller' : 'Show it larger'}
      onClick={() => setLarge(!isLarge)}
    >
      <img class="at-img" src={dataAddress(attachment.id)} alt={attachment.summary} loading="lazy" />
    </button>
  )
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
    fetch(dataAddress(id), { signal: abort.signal, credentials: 'same-origin' })
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
      <pre class="at-text" tabIndex={0} role="region" aria-label={name}>
        {shown}
      </pre>
      {!isOpen && lines.length > SHORT_LINES && (
        <div class="at-f">
          <Button kind="quiet" size="s" icon="down" onClick={() => setOpen(true)}>
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
    import('./diff.tsx').then(setModule, () => undefined)
  }, [])
  return module === undefined ? <PlainText text={text} name="Patch" /> : <module.Diff text={text} />
}
