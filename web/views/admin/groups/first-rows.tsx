import type { ComponentChildren } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { Button } from '../../../parts/button.tsx'

const MOST_LISTED = 20

interface FirstRowsProps<Row> {
  rows: readonly Row[]
  children(row: Row): ComponentChildren
}

/** The first of many rows, and the others on request: members of admin are in every group. */
export function FirstRows<Row>({ rows, children }: FirstRowsProps<Row>) {
  const [isWhole, setWhole] = useState(false)
  const shown = isWhole ? rows : rows.slice(0, MOST_LISTED)
  const list = useRef<HTMLUListElement>(null)
  const showAll = () => {
    setWhole(true)
    requestAnimationFrame(() => list.current?.querySelectorAll('a')[MOST_LISTED]?.focus())
  }
  return (
    <>
      <ul ref={list}>{shown.map(children)}</ul>
      {shown.length < rows.length && (
        <Button size="small" kind="quiet" icon="down" onClick={showAll}>
          {rows.length - shown.length} more
        </Button>
      )}
    </>
  )
}
