// The answers of the REST API, from the server's own schemas: when an answer changes there, the page that reads it no longer compiles.
import type { Static } from '@sinclair/typebox'
import type { PageParameter } from '../../../shared/page-parameters.ts'
import type { Attachment as AttachmentSchema } from '../../../src/bugs/attachments/attachment-schema.ts'
import type { Comment as CommentSchema } from '../../../src/bugs/comments/comment-schema.ts'
import type { HistoryEntry as HistoryEntrySchema } from '../../../src/bugs/history/history-schema.ts'
import type { Access as AccessSchema, Bug as BugSchema } from '../../../src/bugs/reading/bug-schema.ts'

export type { CustomValue } from '../../../src/bugs/reading/bug-schema.ts'

import type { Flag as FlagSchema } from '../../../src/bugs/reading/flag-schema.ts'
import type { Fields as FieldsSchema } from '../../../src/catalogue/fields/field-schema.ts'
import type { Product as ProductSchema } from '../../../src/catalogue/products/product-schema.ts'
import type { Events as EventsSchema } from '../../../src/outbound/feed/event-schema.ts'
import type {
  InboxCounts as InboxCountsSchema,
  InboxEntry as InboxEntrySchema,
} from '../../../src/outbound/inbox/inbox-schema.ts'
import type { User as UserSchema } from '../../../src/people/users/user-schema.ts'

export type { ErrorName, ErrorValues } from '../../../src/platform/errors.ts'

export type Bug = Static<typeof BugSchema>
export type Flag = Static<typeof FlagSchema>
export type Comment = Static<typeof CommentSchema>
export type HistoryEntry = Static<typeof HistoryEntrySchema>
export type Attachment = Static<typeof AttachmentSchema>
export type BugAccess = Static<typeof AccessSchema>
export type Field = Static<typeof FieldsSchema>['fields'][number]
export type FieldValue = NonNullable<Field['values']>[number]
export type Product = Static<typeof ProductSchema>
/** What lists of products request of each. */
export type ListedProduct = Pick<Product, 'id' | 'name' | 'description' | 'is_active' | 'classification'>
export type User = Static<typeof UserSchema>
export type InboxEntry = Static<typeof InboxEntrySchema>
export type InboxCounts = Static<typeof InboxCountsSchema>
export type Event = Static<typeof EventsSchema>['events'][number]

export interface Me {
  id: number
  name: string
  real_name: string
  email: string
  /** Names. */
  groups: string[]
  administers_products: boolean
  chooses_members: boolean
}

/** What an administrator has set; the reader's rights decide which of them come. */
export type Parameters = Readonly<Partial<Record<PageParameter, string>>>

/** Who can join, and what a password must be like. */
export interface AccountRules {
  can_join: boolean
  link_hours: number
  providers: { name: string; title: string }[]
  /** Whether passkeys work at the address of the server. */
  passkeys: boolean
  password: { shortest: number; longest: number; complexity: string; rules: string[] }
}
