/** Why a command cannot be carried out, as a sentence for the operator. Nothing was changed. */
export class Refusal extends Error {}
