interface Column {
  title: string
  /** Left out on a phone. */
  isMinor?: boolean
  /** Only readers of the screen need the title, such as that of buttons. */
  isHidden?: boolean
}

/** The titles of the columns of a table. */
export function TableHead({ columns }: { columns: readonly (string | Column)[] }) {
  return (
    <thead>
      <tr>
        {columns.map((it) => {
          const { title, isMinor, isHidden }: Column = typeof it === 'string' ? { title: it } : it
          return (
            <th key={title} scope="col" class={isMinor ? 'only-wide' : undefined}>
              {isHidden ? <span class="visually-hidden">{title}</span> : title}
            </th>
          )
        })}
      </tr>
    </thead>
  )
}
