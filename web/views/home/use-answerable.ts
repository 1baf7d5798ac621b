import { useEffect, useState } from 'preact/hooks'
import { addressOf } from '../../../shared/rest-address.ts'
import { me } from '../../core/account/session.ts'
import { answerableTypes } from '../../core/bugs/flag-types.ts'
import type { PendingRequest } from '../../core/server/requests.ts'
import { get } from '../../core/server/rest.ts'
import type { BugAccess } from '../../core/server/types.ts'

/** The ids of the flags that the reader may answer, and whether each is a question. Empty until they are loaded. */
export function useAnswerable(requests: readonly PendingRequest[] | undefined): ReadonlyMap<number, boolean> {
  const [answerable, setAnswerable] = useState<ReadonlyMap<number, boolean>>(NONE)
  const key = requests?.map(({ flag }) => flag.id).join() ?? ''
  useEffect(() => {
    if (key === '' || requests === undefined) return
    let isCurrent = true
    void answerableOf(requests).then((found) => isCurrent && setAnswerable(found))
    return () => {
      isCurrent = false
    }
  }, [key])
  return answerable
}

const NONE: ReadonlyMap<number, boolean> = new Map()

async function answerableOf(requests: readonly PendingRequest[]): Promise<ReadonlyMap<number, boolean>> {
  const types = new Map<string, Promise<ReadonlyMap<number, boolean>>>()
  const typesOf = (product: string) => {
    const known = types.get(product) ?? answerableTypes(product).catch(() => NONE)
    types.set(product, known)
    return known
  }
  const rights = new Map<number, Promise<BugAccess | undefined>>()
  const rightsOn = (id: number) => {
    const known = rights.get(id) ?? get(addressOf('/bug/:ref/access', { ref: id })).catch(() => undefined)
    rights.set(id, known)
    return known
  }
  const check = async ({ bug, flag, attachment }: PendingRequest): Promise<[number, boolean][]> => {
    const isQuestion = (await typesOf(bug.product)).get(flag.type_id)
    if (isQuestion === undefined) return []
    const access = await rightsOn(bug.id)
    if (access?.fields.flags?.allowed !== true) return []
    // On an attachment of another user, only those who may edit it answer requests that are not theirs.
    const isOwn = [flag.requestee, flag.setter].includes(me.value?.name) || attachment?.creator === me.value?.name
    return attachment === undefined || isOwn || access.fields.attachments?.allowed === true
      ? [[flag.id, isQuestion]]
      : []
  }
  return new Map((await Promise.all(requests.map(check))).flat())
}
