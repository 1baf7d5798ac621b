import { Refusal } from '../../platform/refusal.ts'

/** What is wrong with an archive, as the end of a sentence. */
export class UnreadableArchive extends Refusal {
  constructor(why: string) {
    super(`The archive cannot be used: ${why}. Nothing was imported.`)
  }
}
