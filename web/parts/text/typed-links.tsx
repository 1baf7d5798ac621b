import { useEffect, useState } from 'preact/hooks'
import { bugsCall } from '../../../shared/first-calls.ts'
import { piecesOf } from '../../../shared/text/text-pieces.ts'
import { bugAddress, hrefOf } from '../../core/router.ts'
import { useData } from '../../core/server/use-data.ts'
import { Status } from '../glyphs.tsx'

const AFTER_MILLISECONDS = 300
const MOST = 10
const LARGEST_ID = 2_147_483_647

function bugsIn(text: string): readonly number[] {
  const ids = piecesOf(text).flatMap((piece) => (piece.kind === 'bug' && piece.id <= LARGEST_ID ? [piece.id] : []))
  return [...new Set(ids)].slice(0, MOST)
}

/** The bugs that a text names, while it is written: a wrong number is seen before it is sent. */
export function TypedLinks({ text }: { text: string }) {
  const [ids, setIds] = useState<readonly number[]>([])
  useEffect(() => {
    const timer = setTimeout(() => setIds(bugsIn(text)), AFTER_MILLISECONDS)
    return () => clearTimeout(timer)
  }, [text])
  const { body } = useData(ids.length === 0 ? undefined : bugsCall(ids, 'id,summary,status,is_open'))
  if (ids.length === 0 || body === undefined) return null
  const missing = ids.filter((id) => !body.bugs.some((bug) => bug.id === id))
  return (
    <ul class="composer-links small" aria-label="Bugs that the text names">
      {body.bugs.map(({ id, summary, status, is_open: isOpen }) => (
        <li key={id} class="row">
          <Status value={status} isOpen={isOpen} short />
          <a class="reference" href={hrefOf(bugAddress(id))} target="_blank" rel="noreferrer">
            {id}
          </a>
          <span class="truncated" dir="auto">
            {summary}
          </span>
        </li>
      ))}
      {missing.map((id) => (
        <li key={id} class="faint">
          There is no bug {id} that you may see.
        </li>
      ))}
    </ul>
  )
}
