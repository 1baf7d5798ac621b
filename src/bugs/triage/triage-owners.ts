import { Type } from '@sinclair/typebox'
import { sql } from 'kysely'
import { type CallContext, call } from '../../access/call.ts'
import { loginFor } from '../../access/visibility/reader-rights.ts'
import { productConditions } from '../../access/visibility/visible-products.ts'
import { readTriageOwners } from '../../catalogue/rotations/triage-owners.ts'
import { dictionary } from '../../platform/text/dictionary.ts'
import { fold } from '../../platform/text/fold.ts'
import { texts } from '../../platform/wire/params.ts'
import { countBugsBy } from '../../search/listing/bug-count-store.ts'
import { readSearch } from '../../search/parsing/parse-url.ts'
import { searchContextOf } from '../../search/search-context.ts'
import { listComponentsWithProducts } from './triage-owner-store.ts'

const Component = Type.Object(
  {
    triage_owner: Type.String({ description: 'Login name; empty if there is none.' }),
    bug_counts: Type.Record(Type.String(), Type.Integer(), { description: 'By type, and total.' }),
  },
  { title: 'TriagedComponent', additionalProperties: false },
)

/** More than components and types together. */
const MOST_PARTS = 100_000

export const getTriageOwners = call({
  method: 'GET',
  path: '/bmo/triage_owners',
  resource: 'triage',
  summary: 'List who triages which component, with its open bugs without a priority.',
  about: 'Of the products that the caller may see. Bugs that the caller may not see are not counted.',
  params: {
    product: texts('Only of these products.'),
    component: texts('Only these components.'),
    owner: texts('Only components that one of these users triages.'),
  },
  answers: Type.Record(Type.String(), Type.Record(Type.String(), Component)),
  scope: 'read',
  async run(context) {
    const { product, component, owner } = context.params
    const [isProduct, isComponent, isOwner] = [oneOf(product), oneOf(component), oneOf(owner)]
    const components = await readComponents(context)
    const owners = await readTriageOwners(context)
    const counts = await untriagedBugs(context)
    const products = new Map<string, [string, object][]>()
    for (const { id, name, product: of } of components) {
      const login = loginFor(owners.get(id)?.login ?? '', context)
      if (!isProduct(of) || !isComponent(name) || !isOwner(login)) continue
      const listed = products.get(of) ?? []
      listed.push([name, { triage_owner: login, bug_counts: counts(id) }])
      products.set(of, listed)
    }
    return dictionary(
      Object.fromEntries([...products].map(([name, own]) => [name, dictionary(Object.fromEntries(own))])),
    )
  },
})

function oneOf(names: readonly string[] | undefined) {
  const keys = new Set(names?.map((name) => fold(name.trim())))
  return (name: string) => names === undefined || keys.has(fold(name))
}

function readComponents({ db, caller, settings, request }: CallContext) {
  return listComponentsWithProducts(
    db.within(request.readLimits),
    (dialect) => productConditions(dialect, caller, settings).isAccessible,
  )
}

/** How many open bugs of a component have no priority, by type: one count for all components. */
async function untriagedBugs(context: CallContext) {
  const searchContext = await searchContextOf(context)
  const { where } = await readSearch(searchContext, { bug_status: '__open__', priority: ['--', '---'] })
  const divisions = [{ id: sql<number>`bugs.component_id` }, { id: sql<number>`bugs.type_id` }]
  const parts = await countBugsBy(searchContext, where, divisions, MOST_PARTS)
  const byComponent = Map.groupBy(parts, ({ ids }) => ids[0])
  return (component: number): Record<string, number> => {
    const own = (byComponent.get(component) ?? []).map(({ ids, bugs }): [string, number] => [
      searchContext.fields.valueWithId(Number(ids[1]))?.name ?? '',
      bugs,
    ])
    return dictionary({ ...Object.fromEntries(own), total: own.reduce((sum, [, bugs]) => sum + bugs, 0) })
  }
}
