import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../../platform/config/config.ts'
import type { Db } from '../../platform/database/db.ts'
import type { Progress } from '../../platform/progress.ts'
import { Refusal } from '../../platform/refusal.ts'
import { markingUnfinished } from '../archive/unfinished-archive.ts'
import { requireEmptyOrBegun } from '../bugzilla/import-bugzilla.ts'
import { type FinishedImport, importStaged } from '../bugzilla/import-staged.ts'
import { openStaging } from '../bugzilla/stage-dump.ts'
import type { Staging } from '../bugzilla/staging/staging.ts'
import { type TimeZone, timeZoneNamed } from '../bugzilla/time-zone.ts'
import { addressesOf, withoutKey } from '../rest-client/rest-faults.ts'
import { type RestOptions, RestServer, reasonIn } from '../rest-client/rest-server.ts'
import { fetchSource } from './fetch-source.ts'
import { FetchStore } from './fetch-store.ts'
import { propertyOf, restText } from './rest-values.ts'
import { callSource, isError } from './source-calls.ts'
import { parametersIn, stageRest } from './stage-rest.ts'

export interface RestImportOptions {
  readonly address: string
  /** Names of products; empty for all. */
  readonly products: readonly string[]
  readonly key: string | undefined
  readonly reportFile: string | undefined
  readonly rest: RestOptions
}

/**
 * Imports what the REST API of another server shows into an empty installation. Nothing is written to the installation
 * before everything was read. Reading and importing go on where they were broken off.
 */
export async function importRest(
  db: Db,
  config: Config,
  options: RestImportOptions,
  progress: Progress,
): Promise<FinishedImport> {
  const identity = `rest ${addressesOf(options.address)[0]} ${JSON.stringify([...options.products].sort())}`
  const begun = await requireEmptyOrBegun(db)
  if (begun !== undefined && begun.source !== identity)
    throw new Refusal('Another import was broken off. Finish that one, or import into a new installation.')
  const folder = join(config.dataFolder, 'import')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const file = join(folder, 'source.db')
  const store = openStore(file, identity)
  try {
    const finished = await markingUnfinished(config.dataFolder, 'import', async () => {
      const staging = await stagingFor(store, join(folder, 'staging.db'), identity, options, progress)
      const parameters = parametersIn(store)
      return importStaged(
        db,
        config,
        {
          staging,
          begun,
          zone: timeZoneNamed('UTC') as TimeZone,
          params: parameters,
          attachmentsFolder: undefined,
          addresses: { old: parameters.urlbase || options.address, new: config.baseUrl },
          report: {
            reportFile: options.reportFile,
            wasZoneGiven: true,
            wereParamsGiven: true,
            heading: headingFor(options),
          },
        },
        progress,
      )
    })
    return {
      ...finished,
      removeStaging() {
        finished.removeStaging()
        FetchStore.removeFile(file)
      },
    }
  } finally {
    store.close()
  }
}

function openStore(file: string, identity: string): FetchStore {
  const store = new FetchStore(file)
  const known = store.fact('identity')
  if (known !== undefined && known !== identity) {
    store.close()
    throw new Refusal(`Reading from another source, or other products, was broken off. To give it up, delete ${file}.`)
  }
  store.setFact('identity', identity)
  return store
}

async function stagingFor(
  store: FetchStore,
  file: string,
  identity: string,
  options: RestImportOptions,
  progress: Progress,
): Promise<Staging> {
  const staged = openStaging(file)
  if (staged?.facts()?.identity === identity && store.fact('complete') !== undefined) {
    progress.note('Resuming the import that was broken off.')
    return staged
  }
  staged?.close()
  if (store.fact('complete') === undefined) {
    const { all, read } = store.bugCount()
    if (all > 0) progress.note(`Resuming: ${read} of ${all} bugs were read before.`)
    const source = { server: await RestServer.open(options.address, options.rest), ...options }
    if (options.key !== undefined) await requireKey(source)
    await fetchSource(source, store, progress)
  }
  return stageRest(store, file, { identity, name: options.address, products: options.products })
}

async function requireKey(source: { server: RestServer; key: string | undefined; products: readonly string[] }) {
  const { body } = await callSource(source, 'product_accessible')
  if (isError(body))
    throw new Refusal(
      withoutKey(
        `${source.server.address} does not accept the API key: ${restText(propertyOf(body, 'message')).slice(0, 200)}`,
        source.key,
      ),
      reasonIn(body),
    )
}

function headingFor({ address, products, key }: RestImportOptions): string[] {
  const what = products.length === 0 ? 'all products that it shows' : products.join(', ')
  return [
    `Import from the REST API of ${address}: ${what}, ${key === undefined ? 'as an anonymous caller' : 'with an API key'}.`,
    'The tables below are those of Bugzilla that the answers stand for.',
    'What the REST API does not show is not here: passwords and API keys, personal settings and mail preferences, watching, saved searches,',
    'series, scheduled mail, logs, earlier versions of comments, mentions, reactions and marks of answers, inheritance of groups and who may bless them, group controls of products, default CC, obsolete fields,',
    'the numbers of keywords, values and changes, and everything that is hidden from the key.',
    'Nobody can log in yet: use npx lacewing admin set-password and npx lacewing admin make-administrator.',
  ]
}
