export interface NoticeText {
  to: string
  subject: string
  /** Line by line. Text that a user wrote is on one line. */
  text: string[]
}
