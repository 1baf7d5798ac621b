import { neutralNick } from '../../../shared/nicks.ts'
import { fold } from '../../platform/text/fold.ts'
import { quoted } from '../../platform/text/quoted.ts'
import type { ViewPart } from '../reading/bug-fields.ts'
import type { BugRowRead, BugUser, BugUserRow, NamedParts, NameRow } from '../reading/bug-view.ts'

/** The largest number of names of each kind: users, products, components and so on. */
const MOST_KNOWN = 20_000

/**
 * A cache of the names of products, users and so on in bugs that were read before. Nearly all names of a bug are in it, and reading
 * some fifteen names takes as long as the rest of the bug.
 */
export class BugNames {
  private readonly product = new Map<number, string>()
  private readonly classification = new Map<number, string>()
  private readonly component = new Map<number, string>()
  private readonly version = new Map<number, string>()
  private readonly milestone = new Map<number, string>()
  private readonly people = new Map<number, BugUser>()
  private readonly all = [this.product, this.classification, this.component, this.version, this.milestone, this.people]

  get isEmpty() {
    return this.all.every(({ size }) => size === 0)
  }

  /** Adds the names in these rows to the cache. */
  learn(rows: readonly (BugRowRead & NameRow)[]) {
    for (const names of this.all) if (names.size > MOST_KNOWN) names.clear()
    for (const row of rows) {
      addName(this.product, row.product_id, row.product)
      addName(this.classification, row.product_id, row.classification)
      addName(this.component, row.component_id, row.component)
      addName(this.version, row.version_id, row.version)
      addName(this.milestone, row.milestone_id, row.milestone)
      this.addUser(row.creator_id, row.creator_login, row.creator_name, row.creator_nick)
      this.addUser(row.assigned_to_id, row.assignee_login, row.assignee_name, row.assignee_nick)
      this.addUser(row.qa_contact_id, row.qa_contact_login, row.qa_contact_name, row.qa_contact_nick)
      for (const { id, login, real_name, nick } of JSON.parse(row.cc_people ?? '[]') as BugUserRow[])
        this.addUser(id, login, real_name, nick)
    }
  }

  /** The requested names of this row; undefined if one is not in the cache. */
  of(row: BugRowRead, wanted: WantedNames): NamedParts | undefined {
    const product = wanted.product ? this.product.get(row.product_id) : ''
    const classification = wanted.classification ? this.classification.get(row.product_id) : ''
    const component = wanted.component ? this.component.get(row.component_id) : ''
    const version = wanted.version ? this.version.get(row.version_id) : ''
    const milestone = wanted.milestone ? this.milestone.get(row.milestone_id) : ''
    const creator = wanted.creator ? this.people.get(row.creator_id) : NO_USER
    const assignee = wanted.assignee ? this.people.get(row.assigned_to_id) : NO_USER
    const hasQaContact = wanted.qaContact && row.qa_contact_id !== null
    const qaContact = hasQaContact ? this.people.get(row.qa_contact_id as number) : NO_USER
    const cc = wanted.cc ? this.peopleIn(row.cc) : []
    if (product === undefined || classification === undefined || component === undefined) return undefined
    if (version === undefined || milestone === undefined || cc === undefined) return undefined
    if (creator === undefined || assignee === undefined || qaContact === undefined) return undefined
    return { product, classification, component, version, milestone, creator, assignee, qaContact, cc }
  }

  /** The users, ordered by login name; undefined if one is not in the cache. */
  private peopleIn(ids: string | null | undefined): readonly BugUser[] | undefined {
    if (ids == null || ids === '[]') return []
    const people: BugUser[] = []
    for (const id of JSON.parse(ids) as number[]) {
      const person = this.people.get(id)
      if (person === undefined) return undefined
      people.push(person)
    }
    return people.length === 1 ? people : people.sort(inOrder)
  }

  private addUser(
    id: number | null,
    login: string | null | undefined,
    name: string | null | undefined,
    nick: string | null | undefined,
  ) {
    if (id !== null && login != null && !this.people.has(id))
      this.people.set(id, bugUserOf({ id, login, real_name: name ?? '', nick: nick ?? null }))
  }
}

/** Which names are requested. */
export type WantedNames = Readonly<Record<keyof NamedParts, boolean>>

const wanted = new WeakMap<ReadonlySet<ViewPart>, WantedNames>()

export function namesWanted(parts: ReadonlySet<ViewPart>): WantedNames {
  const known = wanted.get(parts)
  if (known !== undefined) return known
  const made = {
    product: parts.has('product'),
    classification: parts.has('classification'),
    component: parts.has('component'),
    version: parts.has('version'),
    milestone: parts.has('milestone'),
    creator: parts.has('creator'),
    assignee: parts.has('assignee'),
    qaContact: parts.has('qaContact'),
    cc: parts.has('cc'),
  }
  wanted.set(parts, made)
  return made
}

function addName(names: Map<number, string>, id: number, name: string | undefined) {
  if (name !== undefined && !names.has(id)) names.set(id, quoted(name))
}

export function bugUserOf({ id, login, real_name, nick: chosen }: BugUserRow): BugUser {
  const written = quoted(login)
  const nick = chosen ?? neutralNick(id)
  return {
    id,
    login,
    real_name,
    nick,
    written,
    detail: `{"id":${id},"real_name":${quoted(real_name)},"nick":${quoted(nick)},"name":${written},"email":${written}}`,
    // One character per byte, so that texts are compared as the database compares them.
    key: Buffer.from(fold(login)).toString('latin1'),
  }
}

const NO_USER = bugUserOf({ id: 0, login: '', real_name: '', nick: null })

function inOrder(a: BugUser, b: BugUser) {
  return a.key < b.key ? -1 : 1
}
