import {
  noteCatalogueChanged,
  noteGroupsChanged,
  noteParametersChanged,
  readSettings,
  storeParameter,
} from '../../access/installation.ts'
import { readFieldDefinitions } from '../../catalogue/fields/field-store.ts'
import {
  fieldOfParameter,
  isValueParameter,
  requireLegalValue,
} from '../../catalogue/fields/values/parameter-values.ts'
import { definitionOf, isOnOff, type SettingName, settingNames, storedForm } from '../../platform/config/settings.ts'
import type { ConfigurationTransaction } from '../../platform/database/db.ts'
import { statement } from '../../platform/database/statements/statement.ts'
import { fold } from '../../platform/text/fold.ts'
import type { ImportContext } from './import-context.ts'

const groupByKey = statement<{ key: string }>()((q, p) =>
  q.selectFrom('groups').select('name').where('name_key', '=', p.key),
)

/** What belongs to the old host, not to the tracker. */
const OF_THE_HOST: ReadonlySet<string> = new Set(['attachment_base', 'cookiepath', 'inbound_proxies'])

/** The parameters that exist here too. A value that cannot be used leaves the default, with a line in the report. */
export async function importParameters(
  context: ImportContext,
  tx: ConfigurationTransaction,
  hasOwnAddress: boolean,
): Promise<'done'> {
  const { journal, params } = context
  const unknown: string[] = []
  for (const [name, given] of Object.entries(params)) {
    if (!(settingNames as string[]).includes(name)) {
      journal.leftOut('params.json', 'there is no such parameter here')
      if (given !== '' && given !== '0') unknown.push(name)
      continue
    }
    if (OF_THE_HOST.has(name) || (name === 'urlbase' && hasOwnAddress)) {
      journal.leftOut('params.json', 'it describes the old host')
      continue
    }
    const value = await usableValue(tx, name as SettingName, given)
    if (typeof value === 'object')
      journal.refuse('params.json', name, `${JSON.stringify(given.slice(0, 100))} cannot be used here: ${value.fault}`)
    else {
      await storeParameter(tx, name as SettingName, value)
      journal.made('params.json')
    }
  }
  // Their values may be secrets, so only the names are in the report.
  if (unknown.length > 0)
    journal.note(
      'params.json',
      'other parameters',
      `left out, there are none here with these names: ${unknown.join(', ')}`,
    )
  await replaceMissingDefaults(context, tx)
  if (params.maintainer === undefined)
    journal.note('params.json', 'maintainer', 'is not set: set it with PUT /rest/parameters')
  await noteParametersChanged(tx)
  await noteGroupsChanged(tx)
  await noteCatalogueChanged(tx)
  return 'done'
}

/** Parameters that name a value of a field need one that exists, also if they have our default. */
async function replaceMissingDefaults({ journal }: ImportContext, tx: ConfigurationTransaction) {
  const settings = await readSettings(tx)
  const fields = await readFieldDefinitions(tx)
  for (const name of settingNames.filter(isValueParameter)) {
    const current = String(settings[name])
    if (!('fault' in asObject(await usableValue(tx, name, current)))) continue
    const isDuplicateStatus = name === 'duplicate_or_move_bug_status'
    const values = fields.valuesOf(fieldOfParameter(name)).filter((value) => value.is_active === 1)
    const usable = isDuplicateStatus ? values.find((value) => value.is_open === 0)?.name : ''
    if (usable === undefined) continue
    await storeParameter(tx, name, usable)
    journal.note(
      'params.json',
      name,
      `set to ${JSON.stringify(usable)}, because there is no value ${JSON.stringify(current)}`,
    )
  }
}

function asObject(value: string | { fault: string }): object {
  return typeof value === 'string' ? {} : value
}

async function usableValue(
  tx: ConfigurationTransaction,
  name: SettingName,
  given: string,
): Promise<string | { fault: string }> {
  const text = isOnOff(name) ? (given === '' || given === '0' ? '0' : '1') : given.trim()
  const definition = definitionOf(name)
  const fault = definition?.faultIn(text)
  if (fault !== undefined) return { fault }
  const value = storedForm(name, text)
  if (isValueParameter(name) && value !== '') {
    try {
      return await requireLegalValue(tx, name, value)
    } catch {
      return { fault: 'the field does not have this value' }
    }
  }
  if (definition?.isGroup !== true || value === '') return value
  const group = await tx.first(groupByKey, { key: fold(value) })
  return group?.name ?? { fault: 'there is no such group' }
}
