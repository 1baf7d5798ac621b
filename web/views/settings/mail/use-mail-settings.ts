import { useRef } from 'preact/hooks'
import type { Answer, NameOf, ParamsOf } from '../../../../client/call-types.ts'
import { addressOf } from '../../../../shared/rest-address.ts'
import { put } from '../../../core/server/rest.ts'
import type { Me } from '../../../core/server/types.ts'
import { useData } from '../../../core/server/use-data.ts'
import { showFault, showToast } from '../../../core/toasts.ts'

const MAIL_PATH = '/user/:user/mail'

export type MailSettings = Answer<NameOf<'GET', typeof MAIL_PATH>>
export type MailPreview = Answer<NameOf<'GET', '/user/:user/mail/preview'>>
type ChangeParams = Omit<ParamsOf<NameOf<'PUT', typeof MAIL_PATH>>, 'user'>

/** A change of the mail settings, as the REST API takes it. */
export interface MailChange {
  params: ChangeParams
  undo: ChangeParams
  /** What is shown until the server answers. */
  shown?: Partial<MailSettings>
  /** What else goes back when the change is undone or refused. */
  restore?(): void
  done: string
}

/** The mail settings of the reader, and how many messages the last week would have sent. */
export function useMailSettings(who: Me) {
  const settings = useData(addressOf(MAIL_PATH, { user: who.id }))
  const preview = useData(addressOf('/user/:user/mail/preview', { user: who.id }))
  const queue = useRef<Promise<unknown>>(Promise.resolve())
  const waiting = useRef(0)
  /** Changes are sent one after the other: of two answers, the later one is shown. */
  const send = (params: ChangeParams, done: () => void, refused?: () => void) => {
    waiting.current += 1
    queue.current = queue.current.then(async () => {
      try {
        const answer = await put(MAIL_PATH, { user: who.id, ...params })
        waiting.current -= 1
        if (waiting.current === 0) settings.replace(answer)
        done()
        if (waiting.current === 0) preview.reload()
      } catch (fault) {
        waiting.current -= 1
        refused?.()
        settings.reload()
        showFault(fault)
      }
    })
  }
  const change = ({ params, undo, shown, restore, done }: MailChange) => {
    const { body } = settings
    if (body !== undefined && shown !== undefined) settings.replace({ ...body, ...shown })
    const goBack = () => {
      restore?.()
      if (body !== undefined && shown !== undefined) settings.replace(body)
    }
    const runUndo = () => {
      goBack()
      send(undo, () => showToast({ kind: 'done', text: 'Undone.' }))
    }
    send(params, () => showToast({ kind: 'done', text: done, action: { name: 'Undo', run: runUndo } }), goBack)
  }
  return { settings, preview, change }
}
