import { useState } from 'preact/hooks'
import { addressOf } from '../../../../shared/rest-address.ts'
import { getOnce, isRefusedFor, put } from '../../../core/server/rest.ts'
import { showFault, showToast } from '../../../core/toasts.ts'
import type { Parameter } from './parameter.ts'

interface Draft {
  text: string
  /** The version that was shown when one began to type: what others have changed since is not overwritten. */
  version: number
}

/** What the reader types, and saving it: the old value holds until the server has taken the new one. */
export function useParameter(parameter: Parameter, version: number, onSaved: () => void) {
  const { title, value, kind } = parameter
  const [draft, setDraft] = useState<Draft>()
  const [error, setError] = useState<string>()
  /** Somebody else has changed it meanwhile: only who saves once more overwrites that. */
  const [isLate, setLate] = useState(false)
  const [isBusy, setBusy] = useState(false)

  const type = (text: string) => setDraft((last) => ({ text, version: last?.version ?? version }))
  const giveUp = () => {
    setDraft(undefined)
    setError(undefined)
    setLate(false)
  }
  const save = async (text: string) => {
    if (isBusy) return
    if (text === value) return giveUp()
    setBusy(true)
    try {
      await send(parameter, text, isLate ? version : (draft?.version ?? version))
      giveUp()
      const action = { name: 'Undo', run: () => void undo(parameter, text, onSaved) }
      showToast({ kind: 'done', text: `“${title}” is saved.`, ...(kind !== 'secret' && { action }) })
      onSaved()
    } catch (fault) {
      setDraft((last) => last ?? { text, version })
      setError((fault as Error).message)
      setLate(isRefusedFor(fault, 'configuration_changed'))
      if (isRefusedFor(fault, 'configuration_changed')) onSaved()
    }
    setBusy(false)
  }
  return { text: draft?.text ?? value, error, isLate, type, save, giveUp }
}

/** Back to the value before, unless somebody else has changed it since. */
async function undo(parameter: Parameter, saved: string, onSaved: () => void) {
  try {
    const { version, parameters } = await getOnce(addressOf('/admin/parameters', { name: parameter.name }))
    if (parameters[0]?.value === saved) {
      await send(parameter, parameter.value, version)
      showToast({ kind: 'done', text: `“${parameter.title}” is as before.` })
    } else showToast({ kind: 'failed', text: `“${parameter.title}” has been changed since.` })
    onSaved()
  } catch (fault) {
    showFault(fault)
  }
}

function send({ name }: Parameter, text: string, version: number) {
  return put('/parameters', { [name]: text }, { 'If-Match': `"${version}"` })
}
