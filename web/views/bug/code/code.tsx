import type { Answer } from '../../../../client/call-types.ts'
import { addressOf } from '../../../../shared/rest-address.ts'
import { useData } from '../../../core/server/use-data.ts'
import { Icon } from '../../../parts/icon.tsx'
import { Time } from '../../../parts/time.tsx'
import { Group } from '../group.tsx'

type CodeLink = Answer<'GET /bug/:ref/code'>['code'][number]

/** So many commits are shown at first. */
const SHOWN_COMMITS = 5

/** The changes and commits that name the bug. */
export function Code({ id }: { id: number }) {
  const { body } = useData(addressOf('/bug/:ref/code', { ref: id }))
  if (body === undefined || body.code.length === 0) return null
  const changes = body.code.filter(({ kind }) => kind === 'change')
  const commits = body.code.filter(({ kind }) => kind === 'commit')
  const rows = (links: readonly CodeLink[]) =>
    links.map((link) => <Row key={`${link.source} ${link.url} ${link.number}`} link={link} />)
  return (
    <Group title="Code" count={<span class="faint small">{body.code.length}</span>}>
      <ul class="bug-code small" aria-label="Changes and commits">
        {rows(changes)}
        {rows(commits.slice(0, SHOWN_COMMITS))}
      </ul>
      {commits.length > SHOWN_COMMITS && (
        <details>
          <summary class="small">{commits.length - SHOWN_COMMITS} more commits</summary>
          <ul class="bug-code small" aria-label="More commits">
            {rows(commits.slice(SHOWN_COMMITS))}
          </ul>
        </details>
      )}
    </Group>
  )
}

function Row({ link }: { link: CodeLink }) {
  const { kind, repository, number, url, title, author, state, checks, reviews, last_change_time: at } = link
  const name =
    `${repository}${kind === 'commit' ? ' ' : /^\d/.test(number) && repository !== '' ? '#' : ' '}${number}`.trim()
  const decided = reviews.map((review) => `${review.user}: ${review.state}`).join(', ')
  return (
    <li>
      <div class="row wrap">
        {url === '' ? <b dir="auto">{name}</b> : <ExternalLink url={url} text={name || url} />}
        {kind === 'change' && (
          <span class="badge" title={decided === '' ? undefined : decided}>
            {state}
          </span>
        )}
        {checks !== 'unknown' && (
          <span class={checks === 'failed' ? 'warn' : 'faint'}>
            <Icon name={checks === 'passed' ? 'check' : checks === 'failed' ? 'warn' : 'clock'} size="small" /> checks{' '}
            {checks}
          </span>
        )}
      </div>
      {title !== '' && (
        <div class="break-anywhere" dir="auto">
          {title}
        </div>
      )}
      <div class="faint">
        {author !== '' && <bdi>{author}</bdi>} <Time at={at} />
      </div>
    </li>
  )
}

/** The address was checked by the server: it begins with http:// or https://. */
function ExternalLink({ url, text }: { url: string; text: string }) {
  return (
    <a class="link break-anywhere" href={url} rel="noopener noreferrer nofollow" dir="auto">
      {text}
    </a>
  )
}
