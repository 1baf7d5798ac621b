import type { Answer } from '../../../../client/call-types.ts'

export type Keyword = Answer<'GET /keyword'>['keywords'][number]
