import { useState } from 'preact/hooks'
import { hrefOf } from '../../../core/router.ts'
import { showFault, showToast } from '../../../core/toasts.ts'
import { Button, IconButton } from '../../../parts/button.tsx'
import { TextField } from '../../../parts/field.tsx'
import { useFocusBack } from '../../../parts/focus-back.ts'
import { FormFault } from '../../../parts/form-fault.tsx'
import { useSubmit } from '../../../parts/use-submit.ts'
import { changeOne, isLate, refusalOf } from '../change-one.ts'
import { DeleteKeyword } from './delete-keyword.tsx'
import type { Keyword } from './keyword.ts'

interface Props {
  keyword: Keyword
  /** Names of the other keywords. */
  others: readonly string[]
  /** Undefined until they are counted. */
  bugs: number | undefined
  version: number
  onChange(): void
}

export function KeywordRow({ keyword, others, bugs, version, onChange }: Props) {
  const [open, setOpen] = useState<'change' | 'delete'>()
  const close = () => setOpen(undefined)
  const button = useFocusBack(open === 'change')
  const { name, description } = keyword
  if (open === 'change')
    return (
      <li class="keyword-row">
        <EditKeyword {...{ keyword, version, onChange }} onClose={close} />
      </li>
    )
  return (
    <li class="keyword-row">
      <span class="grow">
        <b dir="auto">{name}</b>
        <span class="muted keyword-about" dir="auto">
          {description}
        </span>
      </span>
      <a class="link keyword-bugs" href={hrefOf(`/bugs?${new URLSearchParams({ keywords: name })}`)}>
        {bugs === undefined ? 'bugs' : bugs === 1 ? '1 bug' : `${bugs.toLocaleString()} bugs`}
      </a>
      <IconButton button={button} name={`Change ${name}`} icon="edit" onClick={() => setOpen('change')} />
      <IconButton name={`Delete ${name}`} icon="trash" onClick={() => setOpen('delete')} />
      {open === 'delete' && <DeleteKeyword {...{ keyword, others, version }} onClose={close} onDeleted={onChange} />}
    </li>
  )
}

/** In place of the row. What is typed stays when it is refused, or when somebody else was faster. */
function EditKeyword({ keyword, version, onChange, onClose }: Omit<Props, 'bugs' | 'others'> & { onClose(): void }) {
  const [name, setName] = useState(keyword.name)
  const [description, setDescription] = useState(keyword.description)
  // What others change while one types is not overwritten.
  const [read, setRead] = useState({ version, keyword })
  const { submit, isBusy, fault } = useSubmit(async () => {
    const wanted = { name, description }
    try {
      const saved = await save(keyword, wanted, read.version)
      const before = { name: keyword.name, description: keyword.description }
      const undo = async () => {
        try {
          await save(keyword, before, saved)
          showToast({ kind: 'done', text: `“${before.name}” is as before.` })
          onChange()
        } catch (reason) {
          showFault(new Error(refusalOf(reason)))
        }
      }
      showToast({
        kind: 'done',
        text: `“${name.trim()}” is saved.`,
        action: { name: 'Undo', run: () => void undo() },
      })
      onClose()
      onChange()
    } catch (reason) {
      if (isLate(reason)) onChange()
      throw new Error(refusalOf(reason))
    }
  })
  const isChangedByOthers = read.keyword.name !== keyword.name || read.keyword.description !== keyword.description
  return (
    <form class="stack grow" aria-label={`Change ${keyword.name}`} onSubmit={submit}>
      <TextField label="Name" isNeeded isFocused value={name} onText={setName} />
      <TextField label="Meaning" isNeeded value={description} onText={setDescription} />
      {name.trim() !== keyword.name && (
        <p class="hint">
          Bugs and saved searches keep it under the new name. Scripts that use the old name find nothing.
        </p>
      )}
      <FormFault text={fault?.message} />
      {isChangedByOthers && (
        <div class="note note-warn">
          <div>
            It is now <b dir="auto">{keyword.name}</b>: <span dir="auto">{keyword.description}</span>
          </div>
          <Button size="small" onClick={() => setRead({ version, keyword })}>
            Overwrite it with mine
          </Button>
        </div>
      )}
      <div class="row">
        <Button kind="primary" type="submit" isBusy={isBusy}>
          Save
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </div>
    </form>
  )
}

function save({ id }: Keyword, params: Omit<Keyword, 'id'>, version: number) {
  return changeOne({ method: 'PUT', path: `/rest/keyword/${id}`, params }, version)
}
