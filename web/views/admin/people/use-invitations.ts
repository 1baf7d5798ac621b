import { useState } from 'preact/hooks'
import type { Answer } from '../../../../client/call-types.ts'
import { splitPeople } from '../../../../shared/text/written-people.ts'
import { dropDraft, keepDraft, readDraft } from '../../../core/drafts/drafts.ts'
import { post } from '../../../core/server/rest.ts'
import { mayGive } from '../rights.tsx'

export type Invitation = Answer<'POST /admin/people'>['people'][number]

/** An entry as it was typed, and what becomes of it. */
export interface InvitationRow {
  typed: string
  /** What was typed when the server said what becomes of it. */
  checked: string
  invitation: Invitation
}

export const MOST_INVITED = 100
export const INVITATIONS_DRAFT = 'invitations'

interface Draft {
  text: string
  groups: readonly string[]
}

/** What is typed stays in the browser until it is sent, and the entries that were refused stay to be corrected. */
export function useInvitations() {
  const [{ text, groups }, setDraft] = useState<Draft>(() => readDraft<Draft>(INVITATIONS_DRAFT) ?? NEW_DRAFT())
  const [rows, setRows] = useState<readonly InvitationRow[]>([])
  const [state, setState] = useState<'unchecked' | 'planned' | 'sent'>('unchecked')
  const keep = (draft: Draft) => {
    setDraft(draft)
    if (draft.text.trim() === '') dropDraft(INVITATIONS_DRAFT)
    else keepDraft(INVITATIONS_DRAFT, draft)
  }
  const ask = async (isDryRun: boolean) => {
    const found = await sendInvitations(text, groups, isDryRun)
    setRows(found)
    setState(isDryRun ? 'planned' : 'sent')
    if (!isDryRun) keep({ text: textOf(found.filter(isRefused)), groups })
    return found
  }
  return {
    text,
    groups: new Set(groups) as ReadonlySet<string>,
    rows,
    state,
    /** Returns what would become of each. */
    check: () => ask(true),
    send: () => ask(false),
    setText(next: string) {
      keep({ text: next, groups })
      setRows([])
      setState('unchecked')
    },
    setGroups(next: ReadonlySet<string>) {
      keep({ text, groups: [...next] })
      setState('unchecked')
    },
    /** Corrects one entry where it is shown as refused. */
    mend(place: number, typed: string) {
      const mended = rows.map((row, at) => (at === place ? { ...row, typed } : row))
      setRows(mended)
      // After the others were sent, only those that were refused are left.
      const isSent = rows.some(({ invitation }) => invitation.result === 'invited')
      keep({ text: textOf(isSent ? mended.filter(isRefused) : mended), groups })
      setState('unchecked')
    },
  }
}

export type Invitations = ReturnType<typeof useInvitations>

const NEW_DRAFT = (): Draft => ({ text: '', groups: ['canconfirm', 'editbugs'].filter(mayGive) })

async function sendInvitations(text: string, groups: readonly string[], dry_run: boolean): Promise<InvitationRow[]> {
  const people = splitPeople(text)
  if (people.length > MOST_INVITED)
    throw new Error(`These are ${people.length} people. At most ${MOST_INVITED} can be invited at once.`)
  const answer = await post('/admin/people', { people, groups: [...groups], dry_run })
  return answer.people.map((invitation, place) => {
    const typed = people[place] ?? invitation.address
    return { typed, checked: typed, invitation }
  })
}

export function isRefused({ invitation: { result } }: InvitationRow) {
  return result === 'malformed' || result === 'not_allowed'
}

function textOf(rows: readonly InvitationRow[]) {
  return rows
    .map(({ typed }) => typed)
    .filter((typed) => typed.trim() !== '')
    .join('\n')
}
