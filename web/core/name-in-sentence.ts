const CONTROLS = /[\u202a-\u202e\u2066-\u2069]/g
/** Without the isolates that `nameInSentence` sets around a name. */
const EMBEDDINGS = /[\u202a-\u202e\u2066\u2067]/g
const FROM_RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/

/** A sentence with names in it that others wrote, such as a message of the server: no name turns the direction of the words after it. */
export function sentenceInOrder(sentence: string): string {
  return sentence.replace(EMBEDDINGS, '')
}

/** A name that somebody chose, for a sentence that is plain text: it turns the direction of no word around it. */
export function nameInSentence(name: string): string {
  const visible = name.replace(CONTROLS, '')
  return FROM_RIGHT_TO_LEFT.test(visible) ? `\u2068${visible}\u2069` : visible
}
