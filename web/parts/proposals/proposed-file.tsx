import { useState } from 'preact/hooks'
import { addressOf } from '../../../shared/rest-address.ts'
import { visibleText } from '../../../shared/text/visible-text.ts'
import { saveBlob } from '../../core/server/files.ts'
import { getOnce } from '../../core/server/rest.ts'
import { showFault } from '../../core/toasts.ts'
import { Button } from '../button.tsx'
import { ScrollRegion } from '../scroll-region.tsx'

/** The content of a proposed file, to be looked at before it is accepted. A file that is not text can be saved. */
export function ProposedFile({ id }: { id: number }) {
  const [text, setText] = useState<string>()
  const show = async () => {
    try {
      const file = await getOnce(addressOf('/proposal/:id/content', { id }))
      const bytes = Uint8Array.from(atob(file.data), (letter) => letter.charCodeAt(0))
      const read = textIn(bytes)
      if (read === undefined) saveBlob(new Blob([bytes], { type: 'application/octet-stream' }), file.file_name)
      else setText(read)
    } catch (fault) {
      showFault(fault)
    }
  }
  if (text === undefined)
    return (
      <Button size="small" onClick={() => void show()}>
        Look at the file
      </Button>
    )
  return (
    <ScrollRegion class="proposal-text proposal-text-added mono" label="The proposed file">
      <div dir="auto">{visibleText(text)}</div>
    </ScrollRegion>
  )
}

function textIn(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}
