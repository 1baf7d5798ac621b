import { wrongCommandLine } from '../../context.ts'
import { withoutExplanation } from '../../input/editor.ts'
import type { Fields } from '../field-options.ts'
import { readTextFile } from '../typed-text.ts'
import { readBugText } from './bug-text.ts'

/** The fields of a bug that was kept when it could not be filed. */
export function readDraft(file: string | undefined): Fields {
  if (file === undefined) return {}
  const { fields, unknown } = readBugText(withoutExplanation(readTextFile(file)))
  if (unknown.length === 0) return fields
  throw wrongCommandLine(`${file} is not a bug that was kept: it begins with lines such as Summary: It smokes.`)
}
