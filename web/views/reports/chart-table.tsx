import { ScrollRegion } from '../../parts/scroll-region.tsx'
import type { ChartData } from './chart-data.ts'
import { namedData } from './chart-names.ts'

/** The numbers of a chart. Each of them leads to its bugs where an address can name them. */
export function ChartTable({ data }: { data: ChartData }) {
  const { title, rowTitle, rows, series, totals, sums, all, linkTo } = namedData(data)
  return (
    <ScrollRegion class="report-table" label={`${title}, as a table`}>
      <table class="table">
        <thead>
          <tr>
            <th scope="col">{rowTitle}</th>
            {series.map(({ name }) => (
              <th key={name} scope="col" class="report-number">
                <bdi>{name || 'none'}</bdi>
              </th>
            ))}
            {totals && (
              <th scope="col" class="report-number">
                All
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            <tr key={row}>
              <th scope="row">
                <bdi>{row || 'none'}</bdi>
              </th>
              {series.map(({ name, values }, column) => (
                <td key={name} class="report-number">
                  <Count value={values[at] ?? 0} href={linkTo?.(at, column)} />
                </td>
              ))}
              {totals && (
                <td class="report-number">
                  <Count value={totals[at] ?? 0} href={linkTo?.(at, undefined)} />
                </td>
              )}
            </tr>
          ))}
        </tbody>
        {sums && (
          <tfoot>
            <tr>
              <th scope="row">All</th>
              {sums.map((sum, column) => (
                <td key={series[column]?.name} class="report-number">
                  <Count value={sum} href={linkTo?.(undefined, column)} />
                </td>
              ))}
              {totals && (
                <td class="report-number">
                  <Count value={all ?? 0} href={linkTo?.(undefined, undefined)} />
                </td>
              )}
            </tr>
          </tfoot>
        )}
      </table>
    </ScrollRegion>
  )
}

function Count({ value, href }: { value: number; href: string | undefined }) {
  if (value === 0) return <span class="faint">0</span>
  const text = value.toLocaleString()
  return href === undefined ? <span>{text}</span> : <a href={href}>{text}</a>
}
