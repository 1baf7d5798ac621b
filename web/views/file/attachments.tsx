import { usesMarkdown } from '../../core/account/session.ts'
import { attachFile } from '../../core/drafts/attach-file.ts'
import { readableSize } from '../../core/drafts/readable-size.ts'
import { NOT_KEPT } from '../../core/drafts/use-draft-files.ts'
import { IconButton } from '../../parts/button.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Progress } from '../../parts/progress.tsx'
import { isShownIn, wordsAbout } from '../../parts/text/picture-words.ts'
import { Thumbnail } from '../../parts/text/thumbnail.tsx'

/** A file for a new bug, and how much of it was sent. */
export interface NewFile {
  file: File
  share: number
  state: 'waiting' | 'sending' | 'sent' | 'failed'
  fault?: string
}

export function newFile(file: File): NewFile {
  return { file, share: 0, state: 'waiting' }
}

interface Props {
  files: readonly NewFile[]
  onRemove?(file: NewFile): void
  /** Whether the browser keeps all of them with the draft. */
  areKept?: boolean
}

/** The files that go with a new bug. */
export function Attachments({ files, onRemove, areKept = true }: Props) {
  if (files.length === 0) return null
  return (
    <div class="file-attachments">
      {files.map((it, place) => (
        <div class="attachment" key={place}>
          <div class="attachment-head">
            {it.file.type.startsWith('image/') ? <Thumbnail file={it.file} /> : <Icon name="file" />}
            <span class="attachment-name truncated" dir="auto">
              {it.file.name}
            </span>
            <span class="faint small nowrap">{stateOf(it)}</span>
            {onRemove !== undefined && (
              <span class="align-end">
                <IconButton name={`Remove ${it.file.name}`} icon="x" size="small" onClick={() => onRemove(it)} />
              </span>
            )}
          </div>
          {it.state === 'sending' && <Progress done={it.share} all={1} label={`${percent(it)} sent`} />}
          {it.fault !== undefined && <div class="error attachment-error">{it.fault}</div>}
        </div>
      ))}
      {!areKept && <div class="hint">{NOT_KEPT}</div>}
    </div>
  )
}

function stateOf(it: NewFile) {
  if (it.state === 'sending') return percent(it)
  if (it.state === 'sent') return 'Attached'
  return readableSize(it.file.size)
}

function percent({ share }: NewFile) {
  return `${Math.round(share * 100)} %`
}

/**
 * Attaches files to a bug, one after the other, and goes on after one that failed. Pictures in the description are called what it says
 * about them. Returns whether all are attached.
 */
export async function sendFiles(
  bugId: number,
  { files, text }: { files: readonly NewFile[]; text: string },
  onChange: (file: NewFile) => void,
): Promise<boolean> {
  let isWhole = true
  for (const it of files) {
    if (it.state === 'sent') continue
    const { fault: _, ...fresh } = it
    try {
      const send = (share: number) => onChange({ ...fresh, state: 'sending', share })
      send(0)
      const inComment = usesMarkdown.value && isShownIn(text, it.file)
      const summary = wordsAbout(text, it.file) || (inComment ? 'Picture' : '')
      await attachFile(bugId, it.file, { summary, inComment }, send)
      onChange({ ...fresh, state: 'sent', share: 1 })
    } catch (fault) {
      isWhole = false
      onChange({ ...fresh, state: 'failed', share: 0, fault: (fault as Error).message })
    }
  }
  return isWhole
}
