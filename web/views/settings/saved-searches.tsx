import { useEffect, useState } from 'preact/hooks'
import { SAVED_CALL } from '../../../shared/first-calls.ts'
import { useFields } from '../../core/bugs/fields.ts'
import { whenInWords } from '../../core/bugs/mail-times.ts'
import { loadPeople, personBy } from '../../core/bugs/people.ts'
import {
  deleteSearch,
  isOwn,
  MAILS_CALL,
  mailAbout,
  moveSearch,
  parametersOf,
  type SavedSearch,
  type ScheduledMail,
} from '../../core/bugs/saved-searches.ts'
import { hrefOf } from '../../core/router.ts'
import { useData } from '../../core/server/use-data.ts'
import { showFault, showResult } from '../../core/toasts.ts'
import { Button, IconButton } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { nameOf } from '../../parts/person.tsx'
import { PausedShares, ShareBadges } from '../../parts/share-badges.tsx'
import { Empty, Refused } from '../../parts/states.tsx'
import { filtersOf } from '../list/criteria/filters.ts'
import { SaveSearch } from '../list/save-search.tsx'

/** The reader's searches: rename, share, mail, delete; and those that are shared with them. */
export function SavedSearches() {
  const saved = useData(SAVED_CALL)
  const mails = useData(MAILS_CALL)
  const reload = () => {
    saved.reload()
    mails.reload()
  }
  useEffect(() => void loadPeople((saved.body?.saved_searches ?? []).map(({ owner }) => owner)), [saved.body])
  if (saved.fault !== undefined && saved.body === undefined) return <Refused fault={saved.fault} retry={reload} />
  if (saved.body === undefined) return null
  const all = saved.body.saved_searches
  const own = all.filter(isOwn)
  const shared = all.filter((search) => !isOwn(search))
  return (
    <>
      <section class="stack" aria-label="Your searches">
        <h2>Your searches</h2>
        {own.length === 0 ? (
          <Empty icon="save" title="No search is saved yet">
            <p>
              Search for something, then choose “Save, share or mail this search” at the right of{' '}
              <a class="link" href={hrefOf('/bugs?quicksearch=ALL')}>
                the list
              </a>
              .
            </p>
          </Empty>
        ) : (
          <ul class="card rows">
            {own.map((search) => (
              <OwnSearch
                key={search.id}
                own={own}
                search={search}
                mails={mails.body?.scheduled_mails ?? []}
                onChange={reload}
              />
            ))}
          </ul>
        )}
      </section>
      {shared.length > 0 && (
        <section class="stack" aria-label="Shared with you">
          <h2>Shared with you</h2>
          <ul class="card rows">
            {shared.map((search) => (
              <li key={search.id} class="search-row">
                <SearchLink search={search} />
                <span class="faint small" title={search.owner}>
                  by <bdi>{nameOf(personBy(search.owner))}</bdi>
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  )
}

function SearchLink({ search }: { search: SavedSearch }) {
  const fields = useFields()
  const words = filtersOf(new URLSearchParams(search.query), fields).map(({ label, text }) => `${label} ${text}`.trim())
  return (
    <div class="grow">
      <a class="medium" href={hrefOf(`/bugs?${parametersOf(search)}`)} dir="auto">
        {search.name}
      </a>
      <div class="faint small truncated" dir="auto">
        {words.length === 0 ? 'All bugs' : words.join(' · ')}
      </div>
    </div>
  )
}

interface OwnProps {
  /** All of the reader's, in their order. */
  own: readonly SavedSearch[]
  search: SavedSearch
  mails: readonly ScheduledMail[]
  onChange(): void
}

function OwnSearch({ own, search, mails, onChange }: OwnProps) {
  const [open, setOpen] = useState<'change' | 'delete'>()
  const mail = mailAbout(mails, search.name)
  const close = () => setOpen(undefined)
  const remove = async () => {
    await showResult(() => deleteSearch(search, mails), `“${search.name}” is deleted.`, onChange)
    close()
  }
  const move = async (step: 1 | -1) => {
    try {
      await moveSearch(own, search, step)
    } catch (fault) {
      showFault(fault)
    }
    onChange()
  }
  return (
    <li class="search-row">
      <SearchLink search={search} />
      {search.shared_with !== null && <ShareBadges groups={[search.shared_with]} paused={search.paused_shares} />}
      {mail !== undefined && <span class="badge">{`Mail: ${mail.schedules.map(whenInWords).join('; ')}`}</span>}
      <span class="row">
        {search !== own[0] && (
          <IconButton name={`Move ${search.name} up`} icon="up" size="small" onClick={() => void move(-1)} />
        )}
        {search !== own.at(-1) && (
          <IconButton name={`Move ${search.name} down`} icon="down" size="small" onClick={() => void move(1)} />
        )}
        <Button size="small" onClick={() => setOpen('change')}>
          Change<span class="visually-hidden"> {search.name}</span>
        </Button>
        <Button size="small" kind="danger" onClick={() => setOpen('delete')}>
          Delete<span class="visually-hidden"> {search.name}</span>
        </Button>
      </span>
      <PausedShares paused={search.paused_shares} />
      {open === 'change' && (
        <SaveSearch
          title={search.name}
          query={async () => search.query}
          search={search}
          mail={mail}
          onClose={close}
          onSaved={onChange}
        />
      )}
      {open === 'delete' && (
        <Dialog
          title={`Delete “${search.name}”?`}
          onClose={close}
          buttons={
            <>
              <Button onClick={close}>Keep it</Button>
              <Button kind="danger" onClick={() => void remove()}>
                Delete the search
              </Button>
            </>
          }
        >
          <p>
            The search is deleted{mail !== undefined && ', and is mailed no longer'}
            {search.shared_with !== null && `. Members of ${search.shared_with} lose it too`}. No bug is changed.
          </p>
        </Dialog>
      )}
    </li>
  )
}
