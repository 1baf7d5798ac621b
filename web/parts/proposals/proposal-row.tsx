import { useId } from 'preact/hooks'
import { visibleText } from '../../../shared/text/visible-text.ts'
import { useFields } from '../../core/bugs/fields.ts'
import { bugAddress, hrefOf } from '../../core/router.ts'
import { Icon } from '../icon.tsx'
import { TextWithLinks } from '../text/text-with-links.tsx'
import { isTakeable, lineLabel, type Proposal, type ProposedLine, type ProposedRow } from './proposal-words.ts'
import { LineChange } from './proposed-value.tsx'

interface Props {
  proposal: Proposal
  row: ProposedRow
  /** Whether it is one of those to be accepted; undefined if it is not chosen by itself. */
  isTaken: boolean | undefined
  onTake(isTaken: boolean): void
}

/** What is decided by itself: mostly one field. Its other lines follow from it. */
export function ProposalRow({ proposal, row, isTaken, onTake }: Props) {
  const id = useId()
  const fields = useFields()
  const [first] = row.changes
  const label = first === undefined ? row.name : lineLabel(fields, first, proposal)
  return (
    <li class={row.status === 'open' ? 'proposal-row' : 'proposal-row is-decided'}>
      <div class="proposal-take">
        {isTaken === undefined ? (
          <span class="medium">{label}</span>
        ) : (
          <label class="checkbox-label">
            <input
              class="checkbox"
              type="checkbox"
              checked={isTaken && isTakeable(row)}
              disabled={!isTakeable(row)}
              aria-describedby={id}
              onChange={(event) => onTake(event.currentTarget.checked)}
            />
            <span class="medium">{label}</span>
          </label>
        )}
      </div>
      <div class="proposal-lines" id={id}>
        {row.changes.map((line, place) => (
          <div key={place}>
            {place > 0 && <span class="proposal-label">{lineLabel(fields, line, proposal)} </span>}
            {!isWritten(row, line) && <LineChange line={line} label={lineLabel(fields, line, proposal)} />}
            <Subject line={line} bugId={proposal.bug_id} />
          </div>
        ))}
        <Decided row={row} />
      </div>
      <div class="proposal-reason muted" dir="auto">
        {row.reason !== '' && <TextWithLinks text={visibleText(row.reason)} bugId={proposal.bug_id} />}
      </div>
    </li>
  )
}

/** The text of an accepted comment is only in the bug. */
function isWritten({ status }: ProposedRow, { field_name: name }: ProposedLine) {
  return status === 'accepted' && name === 'comment'
}

/** What the line is about, to be looked at. */
function Subject({ line, bugId }: { line: ProposedLine; bugId: number | undefined }) {
  const { comment_number: comment, attachment_id: attachment } = line
  if (bugId === undefined || (comment === undefined && attachment === undefined)) return null
  const [hash, words] =
    comment === undefined ? [`#a${attachment}`, `attachment ${attachment}`] : [`#c${comment}`, `comment ${comment}`]
  return (
    <>
      {' '}
      <a class="link small" href={`${hrefOf(bugAddress(bugId))}${hash}`}>
        See {words}
      </a>
    </>
  )
}

function Decided({ row: { status, decided_by: who = '' } }: { row: ProposedRow }) {
  if (status === 'open') return null
  const isAccepted = status === 'accepted'
  return (
    <span class={isAccepted ? 'good small' : 'faint small'}>
      <Icon name={isAccepted ? 'check' : 'x'} size="small" /> {isAccepted ? 'accepted' : 'declined'} by <bdi>{who}</bdi>
    </span>
  )
}
