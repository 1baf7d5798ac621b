import { visibleText } from '../../../shared/text/visible-text.ts'
import { isNothing, isOfBugs } from '../../core/bugs/fields.ts'
import { readableSize } from '../../core/drafts/readable-size.ts'
import { bugAddress, hrefOf } from '../../core/router.ts'
import { ScrollRegion } from '../scroll-region.tsx'
import type { ProposedLine } from './proposal-words.ts'

/** From this length on, or with several lines, a value has a box of its own that scrolls: nothing of it is left out, and nothing goes out of sight. */
const LONG = 200

export function isLong({ removed, added }: ProposedLine) {
  return [removed, added].some((text) => text.length > LONG || text.includes('\n'))
}

/** What is there, and what would be there instead. */
export function LineChange({ line, label }: { line: ProposedLine; label: string }) {
  const { field_name: name, removed, added, now } = line
  const isNew = removed === '' && added !== ''
  return (
    <>
      {isLong(line) ? (
        <>
          {!isNew && <LongText text={removed} label={`${label}, as it is`} kind="removed" />}
          <LongText text={added} label={`${label}, as proposed`} kind="added" />
        </>
      ) : (
        <span class="proposal-change">
          {!isNew && (
            <>
              <span class="visually-hidden">from </span>
              <s class="proposal-removed">
                <Value name={name} text={removed} />
              </s>{' '}
              <span aria-hidden="true">→</span>
              <span class="visually-hidden"> to</span>{' '}
            </>
          )}
          <b class="proposal-added">
            <Value name={name} text={added} />
          </b>
        </span>
      )}
      {now !== undefined && (
        <span class="warn small proposal-now">
          Changed since: it is <Value name={name} text={now} /> now.
        </span>
      )}
    </>
  )
}

/** A value as it is written: login names instead of names, which others can have too, and no character that cannot be seen. */
function Value({ name, text }: { name: string; text: string }) {
  if (isNothing(name, text)) return <>none</>
  if (isOfBugs(name) && /^\d+(, \d+)*$/.test(text))
    return (
      <>
        {text.split(', ').map((id, place) => (
          <span key={id}>
            {place > 0 && ', '}
            <a class="link" href={hrefOf(bugAddress(Number(id)))}>
              {id}
            </a>
          </span>
        ))}
      </>
    )
  if (name === 'attachments.size') return <>{readableSize(Number(text))}</>
  const shown = YES_OR_NO.test(name) && /^[01]$/.test(text) ? (text === '1' ? 'yes' : 'no') : visibleText(text)
  return <bdi class="break-anywhere">{shown}</bdi>
}

const YES_OR_NO = /^is_|\.is|_accessible$|^restrict_/

function LongText({ text, label, kind }: { text: string; label: string; kind: 'removed' | 'added' }) {
  if (text === '') return <p class="faint small">none</p>
  return (
    <>
      <ScrollRegion class={`proposal-text proposal-text-${kind}`} label={label}>
        <div dir="auto">{visibleText(text)}</div>
      </ScrollRegion>
      <span class="faint small">{sizeOf(text)}, shown as it was sent</span>
    </>
  )
}

function sizeOf(text: string) {
  const lines = text.split('\n').length
  return `${text.length.toLocaleString()} characters${lines === 1 ? '' : ` in ${lines.toLocaleString()} lines`}`
}
