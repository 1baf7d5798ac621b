import { Refusal } from '../../platform/refusal.ts'
import { NoAnswer } from '../rest-client/rest-faults.ts'
import { type RestAnswer, type RestServer, reasonIn } from '../rest-client/rest-server.ts'
import { type AnswerDifference, compareAnswers, errorOf } from './compare-answers.ts'
import type { VerifyPerson } from './verify-people.ts'
import type { VerifyTally } from './verify-tally.ts'
import type { VisibleBugs } from './visible-bugs.ts'

/** What the parts of a verification share. */
export interface VerifyContext {
  readonly old: RestServer
  readonly new: RestServer
  readonly people: readonly VerifyPerson[]
  readonly tally: VerifyTally
  readonly visible: VisibleBugs
  /** Calls without an answer, one after another. */
  failures: number
}

export interface BothAnswers {
  readonly old: RestAnswer
  readonly new: RestAnswer
  /** Whether both have what was asked for, so that it makes sense to ask for more about it. */
  readonly areBothGood: boolean
}

/** After this many failures in a row a server counts as gone. */
const MOST_FAILURES = 3

type Compare = (old: RestAnswer, own: RestAnswer) => AnswerDifference[]

/** Makes the same call to both servers and counts the differences. Undefined if one of them gave no answer. */
export async function askBoth(
  context: VerifyContext,
  kind: string,
  person: VerifyPerson,
  call: string,
  compare: Compare = compareAnswers,
): Promise<BothAnswers | undefined> {
  const [old, own] = await Promise.allSettled([
    context.old.get(call, person.oldKey),
    context.new.get(call, person.newKey),
  ])
  const fault = [old, own].find((it) => it.status === 'rejected')?.reason
  if (fault !== undefined) {
    if (!(fault instanceof NoAnswer)) throw fault
    context.tally.unanswered(kind, person.name, call, fault.message)
    context.failures++
    if (context.failures >= MOST_FAILURES)
      throw new Refusal(
        `The comparison was broken off after ${MOST_FAILURES} calls without an answer: ${fault.message}`,
      )
    return undefined
  }
  context.failures = 0
  const answers = {
    old: (old as PromiseFulfilledResult<RestAnswer>).value,
    new: (own as PromiseFulfilledResult<RestAnswer>).value,
  }
  const isHidden = (bug: number) => !context.visible.has(person.name, bug)
  context.tally.add(kind, person.name, call, compare(answers.old, answers.new), isHidden)
  return { ...answers, areBothGood: [answers.old, answers.new].every((answer) => errorOf(answer) === undefined) }
}

/** Refuses keys that a server does not accept, before anything is compared. */
export async function requireKeys(context: VerifyContext) {
  for (const { name, oldKey, newKey } of context.people)
    for (const [server, key] of [
      [context.old, oldKey],
      [context.new, newKey],
    ] as const) {
      if (key === undefined) continue
      const answer = await answerOrRefusal(server, 'product_accessible', key)
      const error = errorOf(answer)
      if (error !== undefined)
        throw new Refusal(
          `${server.address} does not accept the key of ${name}: ${error.text.replaceAll(key, '(key)')}`,
          reasonIn(answer.body),
        )
    }
}

async function answerOrRefusal(server: RestServer, call: string, key: string): Promise<RestAnswer> {
  try {
    return await server.get(call, key)
  } catch (fault) {
    throw fault instanceof NoAnswer ? new Refusal(fault.message) : fault
  }
}
