import { queueAccountNotices } from '../../access/account-notice.ts'
import { isIn, type SignedIn } from '../../access/caller.ts'
import { readSecret } from '../../access/installation-secrets.ts'
import { requireOwnRoom } from '../../access/own-limits.ts'
import { recordAudit } from '../../changes/audit.ts'
import type { Settings } from '../../platform/config/settings.ts'
import type { Db } from '../../platform/database/db.ts'
import { errors } from '../../platform/errors.ts'
import { seal } from '../../platform/secrets/seal.ts'
import { timeNow } from '../../platform/time/clock.ts'
import { readGrantor, requireNotStronger } from '../grantor.ts'
import { getTarget } from '../users/user-targets.ts'
import { TOTP_PURPOSE, useCodeOf } from './check-code.ts'
import { countCodeAttempt, forgetCodeAttempts } from './code-attempts.ts'
import {
  deleteFactor,
  deleteFactors,
  type Factor,
  insertFactor,
  listFactors,
  noteHasFactor,
  updateFactorName,
} from './factor-store.ts'
import { countRecoveryCodes, deleteRecoveryCodes, renewRecoveryCodes } from './recovery-codes.ts'
import { newTotpSecret } from './totp.ts'

/** Adds an app that is used only after its first code is sent back. Returns its secret, which is not shown again. */
export async function addTotp(db: Db, userId: number, name: string): Promise<{ id: number; secret: string }> {
  const secret = newTotpSecret()
  const id = await db.transaction(async (tx) => {
    await requireRoomForFactor(tx, userId)
    const sealed = seal(await readSecret(tx, 'second_factor'), TOTP_PURPOSE, secret)
    return insertFactor(tx, {
      userId,
      kind: 'totp',
      name,
      isConfirmed: 0,
      secret: sealed,
      credentialId: null,
      counter: 0,
      transports: '',
      rpId: '',
      isMultiDevice: 0,
      isBackedUp: 0,
    })
  }, 'accounts')
  return { id, secret }
}

export async function requireRoomForFactor(tx: Db, userId: number) {
  requireOwnRoom('secondFactors', (await listFactors(tx, userId)).length)
}

/** Confirms an app with its first code. Returns new recovery codes if the user has none. */
export async function confirmTotp(
  db: Db,
  { id: userId, network }: { id: number; network: string },
  id: number,
  code: string,
): Promise<string[]> {
  const factor = await getFactor(db, userId, id)
  if (factor.kind !== 'totp' || factor.is_confirmed === 1) throw noSuchFactor(id)
  const attempt = { userId, network, isGuessable: true }
  await countCodeAttempt(db, attempt)
  const codes = await db.transaction(async (tx) => {
    if (!(await useCodeOf(tx, factor, code.replace(/\s/g, '')))) throw errors.code_wrong()
    return noteFactorAdded(tx, userId, factor)
  }, 'accounts')
  await forgetCodeAttempts(db, attempt)
  return codes
}

/** What follows when a factor is added. */
export async function noteFactorAdded(
  tx: Db,
  userId: number,
  { kind, name }: Pick<Factor, 'kind' | 'name'>,
): Promise<string[]> {
  await noteHasFactor(tx, userId, true)
  await noteChange(tx, userId, userId, { change: `${kind}_added`, name })
  await recordAudit(
    tx,
    { who: userId, class: 'User', objectId: userId },
    { factors: { removed: '', added: `${kind} ${name}` } },
  )
  return (await countRecoveryCodes(tx, userId)) > 0 ? [] : renewRecoveryCodes(tx, userId)
}

/** Factors that are not confirmed have no name that is shown. */
export async function renameFactor(db: Db, userId: number, id: number, name: string) {
  await db.transaction(async (tx) => {
    const { kind, name: before, is_confirmed } = await getFactor(tx, userId, id)
    if (is_confirmed === 0) throw noSuchFactor(id)
    if (before === name) return
    await updateFactorName(tx, id, name)
    await recordAudit(
      tx,
      { who: userId, class: 'User', objectId: userId },
      { factors: { removed: `${kind} ${before}`, added: `${kind} ${name}` } },
    )
  }, 'accounts')
}

/** The last factor of a user who must have one cannot be removed. */
export async function removeFactor(db: Db, settings: Settings, caller: SignedIn, id: number) {
  await db.transaction(async (tx) => {
    const factor = await getFactor(tx, caller.id, id)
    const others = (await listFactors(tx, caller.id)).filter((other) => other.id !== id && other.is_confirmed === 1)
    if (factor.is_confirmed === 1 && others.length === 0 && isIn(caller, settings.factor_group))
      throw errors.last_factor_kept()
    await deleteFactor(tx, caller.id, id)
    if (factor.is_confirmed === 0) return
    await afterRemoval(tx, caller.id, caller.id, others.length > 0, `${factor.kind} ${factor.name}`)
  }, 'accounts')
}

/** Removes all factors of a user who has lost them. Needs the rights that setting the password needs. */
export async function removeFactorsOf(db: Db, editorId: number, ref: string): Promise<{ id: number; removed: number }> {
  return db.transaction(async (tx) => {
    const user = await getTarget(tx, ref)
    await requireNotStronger(tx, await readGrantor(tx, editorId), user)
    const factors = (await listFactors(tx, user.id)).filter(({ is_confirmed }) => is_confirmed === 1)
    await deleteFactors(tx, user.id)
    const names = factors.map(({ kind, name }) => `${kind} ${name}`).join(', ')
    if (factors.length > 0) await afterRemoval(tx, editorId, user.id, false, names)
    return { id: user.id, removed: factors.length }
  }, 'configuration')
}

async function afterRemoval(tx: Db, who: number, userId: number, hasOthers: boolean, names: string) {
  if (!hasOthers) await deleteRecoveryCodes(tx, userId)
  await noteHasFactor(tx, userId, hasOthers)
  await noteChange(tx, userId, who, { change: 'removed', name: names })
  await recordAudit(tx, { who, class: 'User', objectId: userId }, { factors: { removed: names, added: '' } })
}

/** The old codes no longer work. */
export async function replaceRecoveryCodes(db: Db, userId: number): Promise<string[]> {
  return db.transaction(async (tx) => {
    if (!(await listFactors(tx, userId)).some(({ is_confirmed }) => is_confirmed === 1))
      throw errors.recovery_codes_need_factor()
    await noteChange(tx, userId, userId, { change: 'codes_made', name: '' })
    await recordAudit(
      tx,
      { who: userId, class: 'User', objectId: userId },
      { recovery_codes: { removed: 'old', added: 'new' } },
    )
    return renewRecoveryCodes(tx, userId)
  }, 'accounts')
}

async function getFactor(db: Db, userId: number, id: number): Promise<Factor> {
  return (await listFactors(db, userId)).find((factor) => factor.id === id) ?? noFactor(id)
}

function noFactor(id: number): never {
  throw noSuchFactor(id)
}

function noSuchFactor(id: number) {
  return errors.no_such_object({ what: 'second factor', ref: String(id) })
}

async function noteChange(
  tx: Db,
  userId: number,
  who: number,
  { change, name }: { change: 'totp_added' | 'passkey_added' | 'removed' | 'codes_made'; name: string },
) {
  await queueAccountNotices(tx, { what: 'factor_changed', change, userId, who, name, at: timeNow() })
}
