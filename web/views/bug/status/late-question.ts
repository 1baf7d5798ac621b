import { late } from '../../../parts/late.tsx'

/** Few bugs have an open question. */
export const QuestionActions = late(async () => (await import('./question.tsx')).QuestionActions)
