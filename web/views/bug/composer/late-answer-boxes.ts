import { late } from '../../../parts/late.tsx'

export const AnswerBoxes = late(async () => (await import('./answer-boxes.tsx')).AnswerBoxes)
