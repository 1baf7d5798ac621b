// What a user wrote lately, and how much of it.
export interface UserActivity {
  bugs: { id: number; summary: string; product: string; creation_time: string }[]
  comments: { id: number; bug_id: number; count: number; time: string; text: string }[]
  attachments: { id: number; bug_id: number; creation_time: string; summary: string; is_obsolete: boolean }[]
  hidden: HiddenStep[]
}

export interface HiddenStep extends ActivityCounts {
  id: number
  at: string
  is_restored: boolean
}

export interface ActivityCounts {
  bugs: number
  comments: number
  attachments: number
}

export function countsOf({ bugs, comments, attachments }: UserActivity): ActivityCounts {
  return { bugs: bugs.length, comments: comments.length, attachments: attachments.length }
}

export function areZero({ bugs, comments, attachments }: ActivityCounts) {
  return bugs + comments + attachments === 0
}

export function countsInWords({ bugs, comments, attachments }: ActivityCounts): string {
  const counted = (count: number, one: string) => `${count} ${one}${count === 1 ? '' : 's'}`
  return [counted(bugs, 'bug'), counted(comments, 'comment'), counted(attachments, 'attachment')].join(', ')
}
