/** Why a command cannot be carried out, as a sentence for the operator. Nothing was changed. */
export class Refusal extends Error {
  /** The name of the error of the REST API that is behind it, if there is one. */
  readonly reason: string | undefined

  constructor(message: string, reason?: string) {
    super(message)
    this.reason = reason
  }
}
