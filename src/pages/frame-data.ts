import { PARAMETERS_CALL } from '../../shared/first-calls.ts'
import { LOOK_PARAMETERS } from '../../shared/look.ts'
import { authenticate } from '../access/authentication/authenticate.ts'
import { settingText } from '../platform/config/settings.ts'
import type { Request } from '../platform/wire/http/http-server.ts'
import { originOf } from '../serving/authenticate-call.ts'
import type { Service } from '../serving/service.ts'
import { type CallAnswer, dataOf, type FirstData } from './first-data.ts'

/**
 * The data for what is around every page. The name and the look of the installation are for everybody, so that a page has them also if its reader is
 * refused everything, as after the end of a session.
 */
export async function withLook(service: Service, request: Request, frame: FirstData): Promise<FirstData> {
  if (!frame.answers.some(isRefused)) return frame
  const { settings } = await authenticate(service.authenticator, {}, originOf(request))
  const look = LOOK_PARAMETERS.map((name) => [name, settingText(settings, name)])
  const body = JSON.stringify({ parameters: Object.fromEntries(look) })
  return dataOf(frame.answers.map((answer) => (isRefused(answer) ? { ...answer, status: 200, body } : answer)))
}

function isRefused({ address, status }: CallAnswer) {
  return address === PARAMETERS_CALL && status !== 200
}
