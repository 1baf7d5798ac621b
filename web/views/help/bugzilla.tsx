import { useEffect } from 'preact/hooks'
import type { REPLACED_SCRIPTS } from '../../../shared/addresses.ts'
import { currentAddress, hrefOf } from '../../core/router.ts'

type Script = (typeof REPLACED_SCRIPTS)[number] | 'page' | 'token'

/** What replaces a page of Bugzilla: a sentence, and the page or the part of the documentation where one goes on. */
const REPLACEMENTS: Readonly<Record<Script, readonly [says: string, address: string]>> = {
  editsettings: ['Each person has settings; there are no defaults for all.', '/settings'],
  summarize_time: [
    'Hours of work are in the comments and the history of each bug, and in a column of lists. Sums for a time or a person do not exist yet.',
    '/bugs',
  ],
  duplicates: ['A list of the bugs with most duplicates does not exist yet. A bug shows its duplicates.', '/bugs'],
  quips: ['There are no quips.', '/bugs'],
  colchange: ['The columns of a list are chosen in the list itself.', '/bugs'],
  post_bug: ['Bugs are filed on their own page, and by programs through the REST API.', '/file'],
  process_bug: ['Bugs are changed on their page, and by programs through the REST API.', '/rest/docs#bug'],
  sanitycheck: ['An operator checks the installation with the command “lacewing check”.', '/help'],
  search_plugin: ['A browser can search with the address of a list, such as /bugs?quicksearch=%s.', '/help/searching'],
  token: ['Links in mail of Bugzilla are no longer valid. Ask for a new one.', '/forgot'],
  page: ['This page of Bugzilla has no equivalent.', '/help'],
}

/** The one that the address names is shown, marked, and where keys go on. */
export function Bugzilla() {
  const { hash } = currentAddress.value
  useEffect(() => {
    const place = document.getElementById(hash)
    place?.scrollIntoView({ block: 'center' })
    place?.focus({ preventScroll: true })
  }, [hash])
  return (
    <>
      <p>Links to a Bugzilla lead to the page that shows the same. These pages have another form here:</p>
      <dl>
        {Object.entries(REPLACEMENTS).map(([script, [says, address]]) => (
          <div key={script} class={script === hash ? 'help-word is-target' : 'help-word'} id={script} tabIndex={-1}>
            <dt>
              <b>{script}.cgi</b>
            </dt>
            <dd>
              {says}{' '}
              <a class="link underlined" href={hrefOf(address)}>
                {address}
              </a>
            </dd>
          </div>
        ))}
      </dl>
    </>
  )
}
