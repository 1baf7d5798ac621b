import { addressOf } from '../../../../shared/rest-address.ts'
import { absenceInWords } from '../../../core/account/absences.ts'
import { get } from '../../../core/server/rest.ts'

/** Until when these users are away who are away now, in words, by login name. */
export async function readAway(logins: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const { absences } = await get(addressOf('/absence', { users: logins }))
  return new Map(
    absences.filter(({ is_now }) => is_now).map((absence) => [absence.user, absenceInWords(absence)] as const),
  )
}
