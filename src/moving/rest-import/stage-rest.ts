import { Staging } from '../bugzilla/staging/staging.ts'
import type { Json } from '../rest-client/rest-server.ts'
import { isObject } from '../rest-client/rest-server.ts'
import type { FetchStore } from './fetch-store.ts'
import { restText } from './rest-values.ts'
import { stageBugs } from './stage-bugs.ts'
import { stageFields } from './stage-fields.ts'
import { stagePeople } from './stage-people.ts'
import { stageProducts } from './stage-products.ts'
import { StagingWriter } from './staging-writer.ts'

/** Turns what was read into the rows of a Bugzilla database. The same store always gives the same rows. */
export function stageRest(
  store: FetchStore,
  stagingFile: string,
  source: { identity: string; name: string; products: readonly string[] },
): Staging {
  Staging.removeFile(stagingFile)
  const staging = new Staging(stagingFile)
  try {
    staging.begin()
    const writer = new StagingWriter(staging)
    const people = stagePeople(store, writer, parametersIn(store))
    const products = stageProducts(store, writer, people, source.products)
    const fields = stageFields(store, writer, products)
    stageBugs(store, writer, { people, products, fields })
    staging.finish({ identity: source.identity, name: source.name, hasEndMarker: true })
    return staging
  } catch (fault) {
    staging.remove()
    throw fault
  }
}

/** The parameters that the source shows. */
export function parametersIn(store: FetchStore): Record<string, string> {
  const body = store.answer('parameters')
  const parameters: Json | undefined = isObject(body) ? body.parameters : undefined
  if (!isObject(parameters)) return {}
  return Object.fromEntries(Object.entries(parameters).map(([name, value]) => [name, restText(value)]))
}
