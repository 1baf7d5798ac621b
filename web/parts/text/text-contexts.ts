import { createContext } from 'preact'

/** A picture that a text refers to: an attachment that the reader may see, or a file that is not sent yet. */
export type FoundPicture = { id: number } | { file: File }

/** Finds the picture of a reference in the text that is shown. Without it, or for one that the reader may not see, the words are shown. */
export const Pictures = createContext<(reference: string) => FoundPicture | undefined>(() => undefined)

/** Ticks a task by the line that it is in; absent where the reader may not. */
export const TickTask = createContext<((line: number, isDone: boolean) => void) | undefined>(undefined)
