/** The text of a comment that is being edited, as it is kept in this browser. */
export interface EditDraft {
  text: string
  /** The number of edits before it. */
  seenEdits: number
}

/** Begins like the draft of a new comment, so that the first page leads to the bug. */
export function editDraftName({ bug_id, id }: { bug_id: number; id: number }) {
  return `bug ${bug_id} edit of ${id}`
}

export function isEditDraftOf(name: string, bug: number) {
  return name.startsWith(`bug ${bug} edit of `)
}
