import { reasonNamed } from '../../../shared/reasons.ts'
import type { Db } from '../../platform/database/db.ts'
import type { Consumer } from '../consumers/consumer.ts'
import type { DeliveryContext, Receivers } from '../delivery/delivery-context.ts'
import type { OutboundEvent } from '../events/event.ts'
import { currentMailContext, type MailContext } from '../mail/mail-context.ts'
import { type PossibleNote, possibleNotes } from '../mail/recipients/possible-mail.ts'
import { bitOf } from './inbox-entry.ts'
import { type InboxNote, saveNotes } from './note-store.ts'

/** Notes in the inboxes of users what reaches them. What they may see of it is decided when they read. */
export function inboxReceivers(context: DeliveryContext): Receivers {
  const consumer: Consumer<InboxNote> = {
    name: 'inbox',
    isPrompt: true,
    plan: async (db, events) => notesOf(db, await currentMailContext(context), events),
    save: (tx, notes) => saveNotes(tx, mergedNotes(notes)),
  }
  return { consumers: [consumer], queues: [] }
}

async function notesOf(db: Db, context: MailContext, events: readonly OutboundEvent[]): Promise<InboxNote[]> {
  const notes = await possibleNotes(db, context, events)
  return mergedNotes(notes.filter(({ isOwn }) => !isOwn).flatMap(noteOf))
}

function noteOf({ userId, bugId, at, reasons, commentId }: PossibleNote): InboxNote[] {
  const names = reasons.map(({ role, watched }) => (watched === undefined ? role : 'watched_person'))
  const stored = names.map(reasonNamed).filter(({ isFoundWhenRead }) => isFoundWhenRead !== true)
  if (stored.length === 0) return []
  const mention = stored.some(({ name }) => name === 'mentioned') ? commentId : null
  return [
    {
      user_id: userId,
      bug_id: bugId,
      reasons: stored.reduce((bits, it) => bits | bitOf(it), 0),
      since: at,
      at,
      mention,
    },
  ]
}

/** One note for each user and bug, in the order of their keys: with both times, all reasons and the last mention. */
function mergedNotes(notes: readonly InboxNote[]): InboxNote[] {
  const merged = new Map<string, InboxNote>()
  for (const note of notes) {
    const key = `${note.user_id} ${note.bug_id}`
    const known = merged.get(key)
    if (known === undefined) merged.set(key, { ...note })
    else {
      known.reasons |= note.reasons
      if (note.at > known.at) known.at = note.at
      known.mention = note.mention ?? known.mention
    }
  }
  return [...merged.values()].sort((a, b) => a.user_id - b.user_id || a.bug_id - b.bug_id)
}
