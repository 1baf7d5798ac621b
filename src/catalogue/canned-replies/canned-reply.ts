/** A text that editors keep for comments that are written again and again. */
export interface CannedReply {
  id: number
  name: string
  text: string
  is_private: 0 | 1
  /** Null for a reply of all products. */
  product_id: number | null
  /** Null for a reply of every user who may comment. */
  group_id: number | null
}

export type CannedReplyEdit = Omit<CannedReply, 'id' | 'product_id'>

export interface WantedReply {
  name?: string | undefined
  text?: string | undefined
  is_private?: boolean | undefined
  /** Name of a group, or an empty text for none. */
  group?: string | undefined
}

/** As the audit log and the response to a change name it. */
export function writtenForm(reply: CannedReplyEdit, nameOf: (group: number) => string | undefined) {
  const { name, text, is_private, group_id } = reply
  return { name, text, is_private, group: group_id === null ? '' : (nameOf(group_id) ?? '') }
}
