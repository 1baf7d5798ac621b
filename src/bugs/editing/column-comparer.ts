/**
 * Makes a function that lists the entries whose column differs between two rows. It is generated without a loop: reading thirty
 * columns by their names, each time with the name in a variable, took most of the time of the comparison.
 */
export function comparerOf<Row, Entry extends { readonly column: keyof Row & string }>(entries: readonly Entry[]) {
  const lines = entries.map(({ column }, index) => {
    const name = JSON.stringify(column)
    return `if (before[${name}] !== after[${name}]) differing.push(entries[${index}])`
  })
  const body = `return (before, after) => { const differing = []; ${lines.join('\n')}; return differing }`
  return new Function('entries', body)(entries) as (before: Row, after: Row) => Entry[]
}
