import type { ComponentChildren, Ref } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { usesMarkdown } from '../../core/account/session.ts'
import { late } from '../late.tsx'
import { ComposerPreview } from './composer-preview.tsx'
import type { Mentionable } from './mentioning.tsx'

/** Completes mentions, which is needed only when an @ is typed. */
const Mentioning = late(async () => (await import('./mentioning.tsx')).Mentioning)

/** The bugs that the text names, by their numbers. */
const TypedLinks = late(async () => (await import('./typed-links.tsx')).TypedLinks)

interface Props {
  text: string
  onText(text: string): void
  /** Files that are dropped on the box or pasted into it. */
  onFiles(files: readonly File[]): void
  /** Leads the focus out of the text, which is kept. */
  onEscape?(): void
  rows: number
  /** The names of the box and of its text. */
  label?: string
  areaLabel?: string
  placeholder?: string
  /** Content beside the tabs. */
  head?: ComponentChildren
  /** Content below the text. */
  children?: ComponentChildren
  area?: Ref<HTMLTextAreaElement>
  /** Who is likely to be mentioned, and where. */
  mentionable?: Mentionable
  /** These come from Field. */
  id?: string
  describedBy?: string | undefined
  isInvalid?: boolean
}

/** Where a comment or a description is written: text or its preview, with files that can be dropped and pasted. */
export function WritingBox(props: Props) {
  const { text, onText, onFiles, rows, label, areaLabel, placeholder, head, children, area } = props
  const [isPreview, setPreview] = useState(false)
  const box = useRef<HTMLElement>(null)
  const preview = useRef<HTMLDivElement>(null)
  const height = useRef(0)
  // The preview is as high as the text, so that nothing below it moves.
  useLayoutEffect(() => preview.current?.style.setProperty('height', `${height.current}px`), [isPreview])
  const showPreview = () => {
    height.current = box.current?.querySelector('textarea')?.offsetHeight ?? 0
    setPreview(true)
  }
  const writing = useMarkdownWriting()
  const field = () => box.current?.querySelector('textarea') ?? null
  const add = (files: readonly File[]) => {
    const into = isPreview ? null : field()
    onFiles(into === null || !writing ? files : writing.withPictures(into, files))
  }
  const take = (event: Event, files: FileList | undefined) => {
    if (files === undefined || files.length === 0) return
    event.preventDefault()
    add([...files])
  }
  return (
    <section
      ref={box}
      class="composer"
      aria-label={label}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => take(event, event.dataTransfer?.files)}
    >
      <div class="row composer-head">
        <div class="tabs" role="group" aria-label="Write or preview">
          <button type="button" aria-pressed={!isPreview} onClick={() => setPreview(false)}>
            Write
          </button>
          <button type="button" aria-pressed={isPreview} onClick={showPreview}>
            Preview
          </button>
        </div>
        {head}
      </div>
      {!isPreview && writing && <writing.MarkdownBar field={field} onFiles={add} />}
      {/* Its place, so that what is below does not move when it comes. */}
      {!isPreview && writing === undefined && <div class="markdown-bar" />}
      {/* The text stays in the page, so that the cursor and what was typed last can be taken back. */}
      <textarea
        ref={area}
        id={props.id}
        class="composer-text"
        aria-label={areaLabel}
        aria-describedby={props.describedBy}
        aria-invalid={props.isInvalid}
        dir="auto"
        rows={rows}
        hidden={isPreview}
        value={text}
        placeholder={placeholder}
        onInput={(event) => onText(event.currentTarget.value)}
        onPaste={(event) => {
          take(event, event.clipboardData?.files)
          writing?.handlePastedAddress(event)
        }}
        onKeyDown={(event) => {
          writing?.handleMarkdownKey(event)
          if (event.key !== 'Escape' || event.isComposing || props.onEscape === undefined) return
          event.preventDefault()
          props.onEscape()
        }}
      />
      {isPreview ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so keys must reach it
        <div ref={preview} class="composer-preview" tabIndex={0} role="region" aria-label="Preview of the text">
          <ComposerPreview text={text} isMarkdown={usesMarkdown.value} />
        </div>
      ) : null}
      {text.includes('@') && !isPreview && props.mentionable !== undefined && (
        <Mentioning text={text} onText={onText} box={box} where={props.mentionable} />
      )}
      <div hidden={isPreview}>{/\d/.test(text) && <TypedLinks text={text} />}</div>
      {children}
    </section>
  )
}

type MarkdownWriting = typeof import('./writing/markdown-writing.ts')

/** Once it is loaded, every box has it from its first moment on. */
let loadedWriting: MarkdownWriting | undefined

/**
 * Where text is Markdown, the script with the bar and the keys, which is loaded when there is something to write in: undefined until then,
 * null where it is not wanted or cannot be loaded.
 */
function useMarkdownWriting(): MarkdownWriting | undefined | null {
  const [writing, setWriting] = useState<MarkdownWriting | undefined | null>(loadedWriting)
  const isWanted = usesMarkdown.value
  useEffect(() => {
    if (!isWanted || loadedWriting !== undefined) return
    const keep = (loaded: MarkdownWriting) => {
      loadedWriting = loaded
      setWriting(loaded)
    }
    // Without it the text can be written all the same.
    Promise.resolve(import('./writing/markdown-writing.ts')).then(keep, () => setWriting(null))
  }, [isWanted])
  return isWanted ? writing : null
}
