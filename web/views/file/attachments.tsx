import { useRef } from 'preact/hooks'
import { post } from '../../core/rest.ts'
import { Button, IconButton } from '../../parts/button.tsx'
import { Icon } from '../../parts/icon.tsx'

export type NewFile = File

interface Props {
  files: readonly NewFile[]
  onFiles(files: readonly NewFile[]): void
}

/** The files that go with a new bug. */
export function Attachments({ files, onFiles }: Props) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <div class="fatt">
      {files.map((file) => (
        <div class="at" key={`${file.name} ${file.size} ${file.lastModified}`}>
          <div class="at-h">
            <Icon name={file.type.startsWith('image/') ? 'image' : 'file'} />
            <span class="at-name cut">{file.name}</span>
            <span class="faint small nowrap">{sizeOf(file.size)}</span>
            <span class="push">
              <IconButton
                name={`Remove ${file.name}`}
                icon="x"
                size="s"
                onClick={() => onFiles(files.filter((it) => it !== file))}
              />
            </span>
          </div>
        </div>
      ))}
      <input
        ref={input}
        type="file"
        multiple
        hidden
        onChange={(event) => {
          onFiles([...files, ...(event.currentTarget.files ?? [])])
          event.currentTarget.value = ''
        }}
      />
      <Button kind="quiet" size="s" icon="clip" onClick={() => input.current?.click()}>
        Attach files
      </Button>
    </div>
  )
}

export function sizeOf(bytes: number) {
  if (bytes < 1000) return `${bytes} B`
  if (bytes < 1_000_000) return `${Math.round(bytes / 1000)} KB`
  return `${(bytes / 1_000_000).toFixed(1)} MB`
}

/** Attaches files to a bug, one after the other. */
export async function sendFiles(bugId: number, files: readonly NewFile[]) {
  for (const file of files)
    await post(`/rest/bug/${bugId}/attachment`, {
      ids: [bugId],
      data: await base64Of(file),
      file_name: file.name,
      summary: file.name,
      content_type: file.type === '' ? 'application/octet-stream' : file.type,
    })
}

function base64Of(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result).split(',')[1] ?? '')
    reader.onerror = () => reject(new Error(`${file.name} cannot be read.`))
    reader.readAsDataURL(file)
  })
}
