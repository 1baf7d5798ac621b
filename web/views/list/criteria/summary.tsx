import { bugAddress, hrefOf } from '../../../core/router.ts'
import type { Bug, Flag } from '../../../core/server/types.ts'
import { shortDate } from '../../../core/times.ts'
import { displayValue } from '../../../parts/glyphs.tsx'
import { Icon } from '../../../parts/icon.tsx'

/** The summary of a bug in a list, and to its right what is special about it. */
export function Summary({ bug }: { bug: Bug }) {
  return (
    <>
      <a class="truncated" href={hrefOf(bugAddress(bug.id))} dir="auto" tabIndex={-1} title={bug.summary}>
        {bug.summary}
      </a>
      {(bug.groups?.length ?? 0) > 0 && <Lock groups={bug.groups} />}
      <span class="cell-extras">
        <Marks bug={bug} />
      </span>
    </>
  )
}

export function Lock({ groups }: { groups: readonly string[] }) {
  return (
    <span class="secret" title={`Only ${groups.join(', ')} and those involved`}>
      <Icon name="lock" size="small" />
      <span class="visually-hidden">Not public</span>
    </span>
  )
}

/** Of each kind; a row has place for so many. */
const MOST_MARKS = 2

export function Marks({ bug }: { bug: Bug }) {
  const requests = (bug.flags ?? []).filter(({ status }) => status === '?')
  const keywords = bug.keywords ?? []
  const more = [...requests.slice(MOST_MARKS).map(({ name }) => `${name}?`), ...keywords.slice(MOST_MARKS)]
  const waitsFor = bug.depends_on?.length ?? 0
  return (
    <>
      {requests.slice(0, MOST_MARKS).map((flag) => (
        <Request key={flag.id} flag={flag} />
      ))}
      {typeof bug.deadline === 'string' && bug.deadline !== '' && bug.is_open && <Deadline at={bug.deadline} />}
      {waitsFor > 0 && bug.is_open && (
        <span class="faint small" title={`Depends on ${waitsFor} ${waitsFor === 1 ? 'bug' : 'bugs'}`}>
          <Icon name="tree" size="tiny" /> {waitsFor}
        </span>
      )}
      {keywords.slice(0, MOST_MARKS).map((keyword) => (
        <span key={keyword} class="keyword">
          {keyword}
        </span>
      ))}
      {more.length > 0 && (
        <span class="faint small" title={more.join(', ')}>
          +{more.length}
        </span>
      )}
      {!bug.is_open && bug.resolution !== '' && (
        <span class="faint small">{displayValue(bug.resolution).toLowerCase()}</span>
      )}
    </>
  )
}

function Request({ flag: { name, requestee } }: { flag: Flag }) {
  const of = requestee === undefined ? '' : ` of ${requestee}`
  return (
    <span class="badge badge-warn" title={`${name} asked${of}`}>
      ? {requestee === undefined ? name : requestee.split('@')[0]}
    </span>
  )
}

function Deadline({ at }: { at: string }) {
  const isOver = new Date(at).getTime() < Date.now()
  return (
    <span class={isOver ? 'badge badge-danger' : 'badge'} title={isOver ? 'Overdue' : 'Due'}>
      <Icon name="cal" />
      {shortDate(at)}
    </span>
  )
}
