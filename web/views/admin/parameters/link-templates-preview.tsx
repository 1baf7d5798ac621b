import { useEffect, useRef, useState } from 'preact/hooks'
import { readLinkTemplates } from '../../../../shared/text/link-templates.ts'
import { piecesOf } from '../../../../shared/text/text-pieces.ts'
import { loadSession } from '../../../core/account/session.ts'
import { PieceOfText } from '../../../parts/text/text-with-links.tsx'

const EXAMPLE = 'Fixes CVE-2026-1234, see JIRA-7.'

/** What becomes a link in a text to try, by the templates as they are typed, before they are saved. */
export function LinkTemplatesPreview({ typed, saved }: { typed: string; saved: string }) {
  const [text, setText] = useState(EXAMPLE)
  const before = useRef(saved)
  useEffect(() => {
    if (before.current === saved) return
    before.current = saved
    // The comments on other pages follow.
    void loadSession()
  }, [saved])
  const read = readLinkTemplates(typed)
  const pieces = typeof read === 'string' ? undefined : piecesOf(text, read)
  const found = pieces?.flatMap((piece) => (piece.kind === 'template' ? piece.address : [])) ?? []
  return (
    <div class="link-templates-preview">
      <label class="small muted">
        Text to try
        <input class="input" value={text} maxLength={500} onInput={(event) => setText(event.currentTarget.value)} />
      </label>
      {typeof read === 'string' ? (
        <p class="faint small">Not whole yet: {read}.</p>
      ) : (
        <>
          <p dir="auto">
            {pieces?.map((piece, place) => (
              <PieceOfText key={place} piece={piece} bugId={undefined} />
            ))}
          </p>
          <ul class="small faint" aria-label="Addresses of the links">
            {found.map((address, place) => (
              <li key={place} class="monospace">
                {address}
              </li>
            ))}
            {found.length === 0 && <li>No template finds anything in it.</li>}
          </ul>
        </>
      )}
    </div>
  )
}
