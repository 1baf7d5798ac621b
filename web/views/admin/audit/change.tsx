import { actionOf, classInWords, type AuditEntry as Entry, hasValues, objectName, partOf } from './audit-entry.ts'
import { valueInWords } from './audit-words.ts'

const SHORT = 120

/** One change in a sentence: what was done to what, from which value to which. */
export function Change({ entry, object }: { entry: Entry; object?: preact.ComponentChildren }) {
  return (
    <span class="audit-change">
      <span class="muted">{actionOf(entry)}</span> {classInWords(entry.class)}{' '}
      {object ?? (
        <b>
          <bdi>{objectName(entry)}</bdi>
        </b>
      )}
      {partOf(entry) !== '' && <span class="muted">: {partOf(entry)}</span>}
      {hasValues(entry) && (
        <span class="audit-values">
          <Value text={valueInWords(entry, entry.removed)} isOld />
          <span class="faint" aria-hidden="true">
            →
          </span>
          <span class="visually-hidden"> to </span>
          <Value text={valueInWords(entry, entry.added)} />
        </span>
      )}
    </span>
  )
}

function Value({ text, isOld = false }: { text: string; isOld?: boolean }) {
  const shown = text.length > SHORT ? `${text.slice(0, SHORT)}…` : text
  if (text === '') return <span class="faint">nothing</span>
  return isOld ? (
    <del dir="auto" title={text}>
      {shown}
    </del>
  ) : (
    <ins dir="auto" title={text}>
      {shown}
    </ins>
  )
}
