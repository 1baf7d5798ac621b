import type { ComponentType } from 'preact'
import type { View as Address } from '../../shared/addresses.ts'
import {
  changesParameters,
  editsKeywords,
  isAdmin,
  managesAccounts,
  managesClassifications,
  managesGroups,
  managesProducts,
  me,
} from '../core/account/session.ts'
import { currentAddress, hrefOf } from '../core/router.ts'
import { useTitle } from '../core/title.ts'
import { type RailEntry, RailPage } from '../parts/rail.tsx'
import { Empty } from '../parts/states.tsx'
import { Audit } from './admin/audit/audit.tsx'
import { Classifications } from './admin/classifications/classifications.tsx'
import { Groups } from './admin/groups/groups.tsx'
import { Keywords } from './admin/keywords/keywords.tsx'
import { Mail } from './admin/mail.tsx'
import { Parameters } from './admin/parameters/parameters.tsx'
import { People } from './admin/people/people.tsx'
import { Products } from './admin/products/products.tsx'
import { State } from './admin/state.tsx'
import { Workflow } from './admin/workflow/workflow.tsx'

interface AdminPart extends RailEntry {
  part: string
  /** `item` is the object that the page is about, from its address. */
  Part: ComponentType<{ item?: string | undefined }>
  isWide?: boolean
  /** Who sees the page: administrators, unless it says otherwise. */
  isAllowed?(): boolean
}

/** The pages of the administration, in the order of the rail. */
const PARTS: readonly AdminPart[] = [
  { part: '', address: '/admin', title: 'State', icon: 'server', Part: State, isWide: true },
  page({
    part: 'products',
    title: 'Products',
    icon: 'box',
    group: 'Who and what',
    Part: Products,
    isWide: true,
    isAllowed: () => managesProducts.value,
  }),
  page({
    part: 'people',
    title: 'People',
    icon: 'user',
    group: 'Who and what',
    Part: People,
    isWide: true,
    isAllowed: () => managesAccounts.value,
  }),
  page({ part: 'workflow', title: 'Workflow', icon: 'arrow', group: 'How bugs work', Part: Workflow, isWide: true }),
  page({
    part: 'keywords',
    title: 'Keywords',
    icon: 'tag',
    group: 'How bugs work',
    Part: Keywords,
    isWide: true,
    isAllowed: () => editsKeywords.value,
  }),
  page({
    part: 'classifications',
    title: 'Classifications',
    icon: 'group',
    group: 'Who and what',
    Part: Classifications,
    isWide: true,
    isAllowed: () => managesClassifications.value,
  }),
  page({
    part: 'groups',
    title: 'Groups',
    icon: 'users',
    group: 'Who and what',
    Part: Groups,
    isWide: true,
    isAllowed: () => managesGroups.value,
  }),
  page({
    part: 'parameters',
    title: 'Parameters',
    icon: 'gear',
    group: 'This installation',
    Part: Parameters,
    isWide: true,
    isAllowed: () => changesParameters.value,
  }),
  page({ part: 'mail', title: 'Mail', icon: 'mail', group: 'This installation', Part: Mail }),
  page({ part: 'audit', title: 'Audit log', icon: 'history', group: 'What happened', Part: Audit, isWide: true }),
]

function page(part: Omit<AdminPart, 'address'>): AdminPart {
  return { ...part, address: `/admin/${part.part}` }
}

/** What a new installation needs before people can use it. Everything else is in the REST API. */
export function View({ parts }: { parts: Address['parts'] }) {
  const allowed = PARTS.filter(({ isAllowed }) => isAdmin.value || isAllowed?.())
  const shown = parts.part === undefined ? allowed[0] : allowed.find(({ part }) => part === parts.part)
  useTitle(shown === undefined ? 'Administration' : `${parts.item ?? shown.title}, administration`)
  if (shown === undefined) return <NotForYou />
  return (
    <RailPage name="Administration" entries={allowed} current={shown} item={parts.item} isWide={shown.isWide ?? false}>
      <shown.Part key={parts.item} item={parts.item} />
      <p class="faint small">
        Fields and what else has no page here are changed through the{' '}
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
          products, of editclassifications classifications, of creategroups groups, of editkeywords keywords, and of
          tweakparams parameters.
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
