import type { ComponentType } from 'preact'
import type { View as Address } from '../../shared/addresses.ts'
import { me } from '../core/account/session.ts'
import { type AdminPlaceName, adminPlaces } from '../core/admin-places.ts'
import { currentAddress, hrefOf } from '../core/router.ts'
import { useTitle } from '../core/title.ts'
import { RailPage } from '../parts/rail.tsx'
import { Empty } from '../parts/states.tsx'
import { Audit } from './admin/audit/audit.tsx'
import { CannedReplies } from './admin/canned-replies/canned-replies.tsx'
import { Classifications } from './admin/classifications/classifications.tsx'
import { CodeSources } from './admin/code/code-sources.tsx'
import { Fields } from './admin/fields/fields.tsx'
import { FlagTypes } from './admin/flag-types/flag-types.tsx'
import { Groups } from './admin/groups/groups.tsx'
import { nameOfItem } from './admin/item-names.ts'
import { Keywords } from './admin/keywords/keywords.tsx'
import { Mail } from './admin/mail/mail.tsx'
import { Misuse } from './admin/misuse/misuse.tsx'
import { Parameters } from './admin/parameters/parameters.tsx'
import { People } from './admin/people/people.tsx'
import { Products } from './admin/products/products.tsx'
import { Programs } from './admin/programs/programs.tsx'
import { Providers } from './admin/providers/providers.tsx'
import { State } from './admin/state/state.tsx'
import { Webhooks } from './admin/webhooks/webhooks.tsx'
import { Workflow } from './admin/workflow/workflow.tsx'

/** `item` is the object that the page is about, from its address. */
type PartOfAdministration = ComponentType<{ item?: string | undefined }>

const PARTS: Readonly<Record<AdminPlaceName, PartOfAdministration>> = {
  '': State,
  products: Products,
  classifications: Classifications,
  people: People,
  groups: Groups,
  fields: Fields,
  workflow: Workflow,
  'flag-types': FlagTypes,
  keywords: Keywords,
  'canned-replies': CannedReplies,
  parameters: Parameters,
  mail: Mail,
  webhooks: Webhooks,
  providers: Providers,
  code: CodeSources,
  programs: Programs,
  audit: Audit,
  misuse: Misuse,
}

/** Parameters are found by the text, whether or not a page has it in its title. */
function parametersWith(text: string) {
  const address = `/admin/parameters?search=${encodeURIComponent(text)}`
  return { address, title: `Parameters: “${text}”`, icon: 'gear', group: 'Settings' }
}

export function View({ parts }: { parts: Address['parts'] }) {
  const allowed = adminPlaces()
  const shown = parts.part === undefined ? allowed[0] : allowed.find(({ part }) => part === parts.part)
  const item = shown && nameOfItem(shown.part, parts.item)
  useTitle(shown === undefined ? 'Administration' : `${item ?? shown.title}, administration`)
  if (shown === undefined) return <NotForYou />
  const Part = PARTS[shown.part]
  const mayChange = allowed.some(({ part }) => part === 'parameters')
  const search = { label: 'Find a setting', more: (text: string) => (mayChange ? [parametersWith(text)] : []) }
  return (
    <RailPage name="Administration" entries={allowed} current={shown} item={item} isWide search={search}>
      <Part key={shown.part === 'fields' ? '' : parts.item} item={parts.item} />
      <p class="faint small">
        What has no page here is changed through the{' '}
        <a class="link" href={hrefOf('/rest/docs')}>
          REST API
        </a>
        .
      </p>
    </RailPage>
  )
}

function NotForYou() {
  return (
    <main id="main" class="page page-form stack-large">
      <h1>Administration</h1>
      <Refusal />
    </main>
  )
}

function Refusal() {
  if (me.value !== undefined)
    return (
      <Empty icon="lock" title="This is for administrators">
        <p>
          Members of the group admin can change everything here, members of editusers people, those of editcomponents
          products and flag types, of editclassifications classifications, of creategroups groups, of editkeywords
          keywords, and of tweakparams parameters. A product can give a group the right to administer it, and a group
          can choose the members of another.
        </p>
      </Empty>
    )
  return (
    <Empty icon="lock" title="Log in to administer the tracker">
      <a class="button button-primary" href={hrefOf(`/login?to=${encodeURIComponent(currentAddress.value.path)}`)}>
        Log in
      </a>
    </Empty>
  )
}
