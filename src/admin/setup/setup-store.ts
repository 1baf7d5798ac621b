import { SETUP_STEPS, type SetupStep } from '../../../shared/setup-steps.ts'
import type { ConfigurationTransaction, Db } from '../../platform/database/db.ts'
import { statement } from '../../platform/database/statements/statement.ts'
import { digest } from '../../platform/secrets/secrets.ts'
import { timeNow } from '../../platform/time/clock.ts'

/** Among the secrets of the installation: the digest of the code and when it was made, or BEGUN after it was used; gone after the set-up. */
const NAME = 'setup'
const BEGUN = 'begun'
/** A row for each step that is done, so that steps noted at the same moment do not overwrite each other. */
const nameOfStep = (step: SetupStep) => `${NAME} ${step}`
const DONE = 'done'

export interface SetupCode {
  readonly digest: string
  readonly madeAt: string
}

const find = statement<{ name: string }>()((q, p) =>
  q.selectFrom('installation_secrets').select('value').where('name', '=', p.name),
)
const insert = statement<{ name: string; value: string }>()((q, p) =>
  q.insertInto('installation_secrets').values({ name: p.name, value: p.value }),
)
const replace = statement<{ name: string; from: string; to: string }>()((q, p) =>
  q
    .updateTable('installation_secrets')
    .set({ value: p.to })
    .where('name', '=', p.name)
    .where('value', '=', p.from)
    .returning('name'),
)
const remove = statement<{ names: string }>()((q, p, d) =>
  q.deleteFrom('installation_secrets').where('name', 'in', d.textsIn(p.names)).returning('name'),
)
const noteDone = statement<{ name: string }>()((q, p) =>
  q
    .insertInto('installation_secrets')
    .values({ name: p.name, value: DONE })
    .onConflict((conflict) => conflict.doNothing()),
)
const doneSteps = statement<object>()((q) =>
  q.selectFrom('installation_secrets').select('name').where('value', '=', DONE),
)

/** Only the digest is stored: the code is shown once, by the first start. */
export async function insertSetupCode(tx: Db, code: string) {
  await tx.all(insert, { name: NAME, value: `${digest(code)} ${timeNow()}` })
}

export async function isSetupOpen(db: Db): Promise<boolean> {
  return (await db.first(find, { name: NAME })) !== undefined
}

/** The code that was not used yet; undefined if there is none. */
export async function findSetupCode(db: Db): Promise<SetupCode | undefined> {
  const value = (await db.first(find, { name: NAME }))?.value ?? BEGUN
  const [stored = '', madeAt = ''] = value.split(' ')
  return value === BEGUN ? undefined : { digest: stored, madeAt }
}

/** Returns whether this call has used the code up: of several at once, one. */
export async function useSetupCode(tx: Db, code: SetupCode): Promise<boolean> {
  const from = `${code.digest} ${code.madeAt}`
  return (await tx.first(replace, { name: NAME, from, to: BEGUN })) !== undefined
}

/** Ends the set-up, with its code. Returns false if it had ended before. */
export async function endSetup(tx: Db): Promise<boolean> {
  const removed = await tx.all(remove, { names: JSON.stringify([NAME, ...SETUP_STEPS.map(nameOfStep)]) })
  return removed.some(({ name }) => name === NAME)
}

export async function listDoneSteps(db: Db): Promise<SetupStep[]> {
  const names = new Set((await db.all(doneSteps, {})).map(({ name }) => name))
  return SETUP_STEPS.filter((step) => names.has(nameOfStep(step)))
}

/** After the set-up has ended nothing is noted. */
export async function noteStepsDone(tx: ConfigurationTransaction, steps: readonly SetupStep[]) {
  if (await isSetupOpen(tx)) for (const step of steps) await tx.all(noteDone, { name: nameOfStep(step) })
}
