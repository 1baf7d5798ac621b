import { viewerOf } from '../../access/visibility/visible-bugs.ts'
import { partsFor } from '../../bugs/reading/bug-fields.ts'
import { presentBug } from '../../bugs/reading/bug-json.ts'
import { listBugViews } from '../../bugs/reading/bug-view-store.ts'
import { bugReadContext } from '../../bugs/reading/get-bugs.ts'
import { selectionOf } from '../../platform/wire/field-selection.ts'
import type { ActingContext } from '../receivers/act-as.ts'

/** A mail with lists of bugs that its recipient may see now. */
export interface ScheduledMessage {
  subject: string
  body: string
  lists: MailedList[]
}

export interface MailedList {
  title: string
  /** A `note` is written before what is known of the bug. */
  bugs: Record<string, unknown>[]
}

const SHOWN = selectionOf({
  include_fields: 'id,summary,product,component,status,resolution,priority,severity,assigned_to',
})

/** These bugs as the receiver may see them now, without those that they may not. */
export async function shownBugs(receiver: ActingContext, ids: readonly number[]): Promise<Record<string, unknown>[]> {
  const { db, settings, caller } = receiver
  const mailContext = await bugReadContext({ ...receiver, select: SHOWN })
  const bugQuery = {
    db,
    rules: settings,
    viewer: viewerOf(caller),
    parts: partsFor(SHOWN, false),
    state: mailContext.state,
  }
  const views = new Map((await listBugViews(bugQuery, ids)).map((view) => [view.id, view]))
  return ids.flatMap((id) => {
    const view = views.get(id)
    return view === undefined ? [] : [presentBug(view, mailContext)]
  })
}
