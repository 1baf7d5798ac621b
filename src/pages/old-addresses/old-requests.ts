/** Filters of `request.cgi`, and the field that searches for the same. */
const FIELDS = [
  ['requestee', 'requestees.login_name'],
  ['requester', 'setters.login_name'],
] as const

const FILTERS = ['requestee', 'requester', 'product', 'component', 'type', 'status', 'do_union']

/** The page of one's own requests, or, with filters, the search for bugs whose flags match all of them. */
export function requestSearch(query: URLSearchParams): string {
  const given = (name: string) => query.get(name)?.trim() ?? ''
  const status = given('status') || '?'
  const isFiltered = FILTERS.some((name) => given(name) !== '' && !(name === 'type' && given(name) === 'all'))
  if (!isFiltered) return '/requests'
  const search = new URLSearchParams()
  for (const name of ['product', 'component'])
    for (const value of query.getAll(name)) if (value) search.append(name, value)
  const type = given('type') === 'all' ? '' : given('type')
  const rows: [field: string, operator: string, value: string][] = [
    [
      'flagtypes.name',
      type !== '' && status.length === 1 ? 'equals' : 'substring',
      `${type}${status === 'all' ? '' : status}`,
    ],
  ]
  // Bugzilla writes a hyphen for requests that name nobody.
  for (const [name, field] of FIELDS)
    if (given(name) === '-') rows.push([field, 'isempty', ''])
    else if (given(name) !== '') rows.push([field, 'equals', given(name)])
  // One flag matches all rows, or, with do_union, each row may match another.
  search.set('j_top', given('do_union') === '1' ? 'OR' : 'AND_G')
  for (const [index, [field, operator, value]] of rows.entries()) {
    search.set(`f${index + 1}`, field)
    search.set(`o${index + 1}`, operator)
    if (operator !== 'isempty') search.set(`v${index + 1}`, value)
  }
  return `/bugs?${search}`
}
