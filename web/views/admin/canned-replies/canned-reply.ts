import type { Answer } from '../../../../client/call-types.ts'

export type Reply = Answer<'GET /canned_reply'>['canned_replies'][number]
