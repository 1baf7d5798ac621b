import type { REPLACED_SCRIPTS } from '../../addresses.ts'
import { hrefOf } from '../../core/router.ts'

type Script = (typeof REPLACED_SCRIPTS)[number] | 'page' | 'token'

/** What replaces a page of Bugzilla: a sentence, and the page or the part of the documentation where one goes on. */
const REPLACEMENTS: Readonly<Record<Script, readonly [says: string, address: string]>> = {
  editproducts: ['Products are created on the page of administration, and changed through the REST API.', '/rest/docs'],
  editcomponents: ['Components are changed through the REST API.', '/rest/docs'],
  editversions: ['Versions are changed through the REST API.', '/rest/docs'],
  editmilestones: ['Milestones are changed through the REST API.', '/rest/docs'],
  editclassifications: ['Classifications are changed through the REST API.', '/rest/docs'],
  editusers: ['Accounts are created on the page of administration, and changed through the REST API.', '/rest/docs'],
  editgroups: ['Groups are changed through the REST API.', '/rest/docs'],
  editparams: ['Parameters are read and changed through the REST API.', '/rest/docs'],
  editsettings: ['Each person has settings; there are no defaults for all.', '/settings'],
  editfields: ['Custom fields are changed through the REST API.', '/rest/docs'],
  editvalues: ['The values of fields are changed through the REST API.', '/rest/docs'],
  editworkflow: ['Which status can follow which is changed through the REST API.', '/rest/docs'],
  editflagtypes: ['Flag types are changed through the REST API.', '/rest/docs'],
  editkeywords: ['Keywords are changed through the REST API.', '/rest/docs'],
  describekeywords: ['Keywords and what they mean are read through the REST API.', '/rest/docs'],
  report: ['A list of bugs can be grouped by a field; tables are made by the REST API.', '/rest/docs'],
  reports: ['Reports are made by the REST API.', '/rest/docs'],
  chart: ['What is counted every day for a chart is read through the REST API.', '/rest/docs'],
  summarize_time: ['Hours of work are in the history of each bug, and sums in reports of the REST API.', '/rest/docs'],
  duplicates: ['A list of the bugs with most duplicates does not exist yet. A bug shows its duplicates.', '/bugs'],
  votes: ['There are no votes yet. An import keeps them in a file for a later release.', '/help'],
  quips: ['There are no quips.', '/bugs'],
  colchange: ['The columns of a list are chosen in the list itself.', '/bugs'],
  post_bug: ['Bugs are filed on their own page, and by programs through the REST API.', '/file'],
  process_bug: ['Bugs are changed on their page, and by programs through the REST API.', '/rest/docs'],
  jsonrpc: ['Programs use the REST API.', '/rest/docs'],
  xmlrpc: ['Programs use the REST API.', '/rest/docs'],
  sanitycheck: ['An operator checks the installation with the command “lacewing check”.', '/help'],
  search_plugin: ['A browser can search with the address of a list, such as /bugs?quicksearch=%s.', '/help/searching'],
  token: ['Links in mail of Bugzilla are no longer valid. Ask for a new one.', '/forgot'],
  page: ['This page of Bugzilla has no equivalent.', '/help'],
}

export function Bugzilla() {
  return (
    <>
      <p>Links to a Bugzilla lead to the page that shows the same. These pages have another form here:</p>
      <dl>
        {Object.entries(REPLACEMENTS).map(([script, [says, address]]) => (
          <div key={script} class="word" id={script}>
            <dt>
              <b>{script}.cgi</b>
            </dt>
            <dd>
              {says} <a href={hrefOf(address)}>{address}</a>
            </dd>
          </div>
        ))}
      </dl>
    </>
  )
}
