import { requireNothingLost } from '../platform/whole-file.ts'

export const OVERWRITE = 'Overwrite the file if it exists.'

/** Refuses to overwrite a file before long work begins. */
export function requireNew(file: string | undefined, isForced = false) {
  if (file !== undefined && !isForced) requireNothingLost(file)
}
