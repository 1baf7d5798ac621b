import { useEffect, useState } from 'preact/hooks'
import { WHOAMI_CALL } from '../../../shared/first-calls.ts'
import { nickFrom } from '../../../shared/nicks.ts'
import { put } from '../../core/server/rest.ts'
import { useData } from '../../core/server/use-data.ts'
import { showToast } from '../../core/toasts.ts'
import { Button } from '../../parts/button.tsx'
import { FormFault } from '../../parts/form-fault.tsx'
import { isNickWrong, NickField } from '../../parts/nick-field.tsx'
import { useSubmit } from '../../parts/use-submit.ts'

/** The short name by which comments mention the reader. */
export function OwnNick() {
  const { body, reload } = useData(WHOAMI_CALL)
  const [typed, setTyped] = useState<string>()
  const { submit, isBusy, fault } = useSubmit(async () => {
    if (body === undefined || typed === undefined || nickFrom(typed) === body.nick) return
    await put('/user/:ref', { ref: body.id, nick: typed })
    showToast({ kind: 'done', text: `Your nick is now @${nickFrom(typed)}.` })
    reload()
  })
  useEffect(() => setTyped(undefined), [body?.nick])
  if (body === undefined) return null
  const { id, nick } = body
  const value = typed ?? nick
  const isWrong = isNickWrong(value, id)
  return (
    <form class="stack" aria-label="Nick" onSubmit={submit}>
      <h2>Nick</h2>
      <NickField value={value} onText={setTyped} userId={id} before={nick} />
      <p class="hint">
        You can take five new nicks in 30 days. Your last ten stay yours, and mentions by them reach you. Nicks that
        look alike, such as ann-lee and annlee, belong to one account.
      </p>
      <FormFault text={fault?.message} />
      <div>
        <Button type="submit" isBusy={isBusy} unavailable={isWrong ? 'This nick cannot be taken.' : undefined}>
          Save the nick
        </Button>
      </div>
    </form>
  )
}
