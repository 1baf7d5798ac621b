import { requireUnlimited, type SignedIn } from '../access/caller.ts'
import { noteCatalogueChanged, noteParametersChanged, readSettings, storeParameter } from '../access/installation.ts'
import { isValueParameter, requireLegalValue } from '../catalogue/fields/values/parameter-values.ts'
import { allowDuplicateStatusFromAll } from '../catalogue/workflow/duplicate-status.ts'
import { type Changes, recordAudit } from '../changes/audit.ts'
import { type Grantor, readGrantor } from '../people/grantor.ts'
import { findGroups } from '../people/groups/group-store.ts'
import { HIDDEN_SECRET } from '../platform/config/hidden.ts'
import { hasHiddenLogin } from '../platform/config/mail-server.ts'
import {
  definitionOf,
  isOnOff,
  type SettingName,
  type Settings,
  settingText,
  shownSetting,
  storedForm,
} from '../platform/config/settings.ts'
import type { ConfigurationTransaction, Db } from '../platform/database/db.ts'
import { statement } from '../platform/database/statements/statement.ts'
import { errors } from '../platform/errors.ts'
import { fold } from '../platform/text/fold.ts'
import { readFlag } from '../platform/wire/params.ts'

const groupByName = statement<{ key: string }>()((q, p) =>
  q.selectFrom('groups').select('name').where('name_key', '=', p.key),
)

/** Changes several parameters. If one value is wrong, none is changed. */
export async function changeParameters(
  db: Db,
  editor: SignedIn | null,
  values: Readonly<Record<string, unknown>>,
): Promise<Changes> {
  const requested = Object.entries(values).map(([sentName, value]) => {
    const name = requireKnown(sentName)
    return [name, requireText(name, value)] as const
  })
  return db.transaction(async (tx) => {
    const before = await readSettings(tx)
    const grantor = editor === null ? undefined : await readGrantor(tx, editor.id)
    const changes: Changes = {}
    for (const [name, text] of requested) {
      const usable = await requireUsable(tx, name, text)
      const value = definitionOf(name)?.merged?.(usable, settingText(before, name)) ?? usable
      if (isUnchanged(before, name, value)) continue
      if (editor !== null && (definitionOf(name)?.isForAdministrators || definitionOf(name)?.isGroup))
        requireUnlimited(editor, `change the parameter ${name}`)
      if (grantor !== undefined) await requireMayChange(tx, grantor, name, settingText(before, name))
      changes[name] = { removed: shownSetting(name, settingText(before, name)), added: shownSetting(name, value) }
      await storeParameter(tx, name, value)
      if (name === 'duplicate_or_move_bug_status') await allowTransitionsTo(tx, editor?.id ?? null, value)
    }
    const after = await readSettings(tx)
    requireReachableStore(after)
    requireWholeMailServer(after)
    await recordAudit(tx, { who: editor?.id ?? null, class: 'Parameter', objectId: 0 }, changes)
    if (Object.keys(changes).length > 0) await noteParametersChanged(tx)
    return changes
  }, 'configuration')
}

function isUnchanged(before: Settings, name: SettingName, value: string) {
  return value === settingText(before, name) || (definitionOf(name)?.isSecret === true && value === HIDDEN_SECRET)
}

/** A parameter with a group gives rights, so that only users who have these rights may give them to others. */
async function requireMayChange(tx: Db, grantor: Grantor, name: SettingName, before: string) {
  if (grantor.isAdministrator) return
  const group = definitionOf(name)?.isGroup ? (await findGroups(tx, [before])).get(before) : undefined
  const hasRight = group !== undefined && grantor.reach.has(group.id)
  if (definitionOf(name)?.isForAdministrators || (definitionOf(name)?.isGroup && !hasRight))
    throw errors.not_allowed({ need: `changing the parameter ${name} needs membership in admin` })
}

/** Attachments that went to a store without a complete address would be lost. */
function requireReachableStore(settings: Settings) {
  const needed = ['s3_endpoint', 's3_region', 's3_bucket', 's3_access_key', 's3_secret_key'] as const
  const missing = settings.attachment_store === 's3' ? needed.find((name) => settings[name] === '') : undefined
  if (missing !== undefined)
    throw errors.bad_value({
      name: missing,
      value: '',
      right: 'attachment_store is s3, which needs a value for this parameter',
    })
}

/** The login of one mail server is not sent to another one: who changes the server gives user and password again. */
function requireWholeMailServer({ smtp_url }: Settings) {
  if (hasHiddenLogin(smtp_url))
    throw errors.bad_value({
      name: 'smtp_url',
      value: shownSetting('smtp_url', smtp_url),
      right: 'another server needs user and password again',
    })
}

/** Adds the missing workflow transitions, so that every status can change to the status of duplicates. */
async function allowTransitionsTo(tx: ConfigurationTransaction, who: number | null, status: string) {
  await allowDuplicateStatusFromAll(tx, who, status)
  await noteCatalogueChanged(tx)
}

function requireKnown(name: string): SettingName {
  if (definitionOf(name) === undefined) throw errors.no_such_object({ what: 'parameter', ref: name })
  return name as SettingName
}

function requireText(name: SettingName, value: unknown): string {
  if (isOnOff(name)) return readFlag(name, value) ? '1' : '0'
  if (value === null) return ''
  if (Array.isArray(value) && definitionOf(name)?.kind === 'json') return JSON.stringify(value)
  if (typeof value === 'string' || typeof value === 'number') return String(value).trim()
  throw errors.bad_value({
    name,
    value: definitionOf(name)?.kind === 'secret' ? HIDDEN_SECRET : value,
    right: 'it must be a string or a number',
  })
}

/** Returns the value as it is stored. Throws 53 if the parameter cannot have it. */
async function requireUsable(tx: Db, name: SettingName, text: string): Promise<string> {
  const definition = definitionOf(name)
  const fault = definition?.faultIn(text)
  if (fault !== undefined) throw errors.bad_value({ name, value: shownSetting(name, text), right: fault })
  const value = storedForm(name, text)
  if (isValueParameter(name)) return requireLegalValue(tx, name, value)
  if (!definition?.isGroup || value === '') return value
  const group = await tx.first(groupByName, { key: fold(value) })
  if (!group) throw errors.bad_value({ name, value, right: 'it must be the name of a group, or empty' })
  return group.name
}
