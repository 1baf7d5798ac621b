// A bug as text in an editor: a line for each field, an empty line, then the description.
import { linesOf } from '../../text/clean-text.ts'

export interface FormField {
  readonly label: string
  /** In the REST API. */
  readonly name: string
}

export interface BugForm {
  /** By the name of the field; only those that the text has a line for. */
  readonly fields: ReadonlyMap<string, string>
  readonly text: string
  /** Lines before the empty one that are no field. */
  readonly unknown: readonly string[]
}

export function formText(fields: readonly FormField[], values: ReadonlyMap<string, string>, text: string): string {
  return `${fields.map(({ label, name }) => `${label}: ${values.get(name) ?? ''}`).join('\n')}\n\n${text}`
}

export function readForm(fields: readonly FormField[], text: string): BugForm {
  const byLabel = new Map(fields.map(({ label, name }) => [label.toLowerCase(), name]))
  const lines = linesOf(text)
  const end = lines.findIndex((line) => line.trim() === '')
  const head = end === -1 ? lines : lines.slice(0, end)
  const values = new Map<string, string>()
  const unknown: string[] = []
  for (const line of head) {
    const at = line.indexOf(':')
    const name = byLabel.get(line.slice(0, at).trim().toLowerCase())
    if (name === undefined) unknown.push(line)
    else values.set(name, line.slice(at + 1).trim())
  }
  return {
    fields: values,
    text:
      end === -1
        ? ''
        : lines
            .slice(end + 1)
            .join('\n')
            .trim(),
    unknown,
  }
}
