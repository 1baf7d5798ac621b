/**
 * The parameters in an address of Bugzilla, which writes `&` or `;` between them, such as `show_bug.cgi?id=22;list_id=5`. In a
 * value it writes `%3B`.
 */
export function oldQueryIn(address: string): URLSearchParams {
  const [beforeFragment = ''] = address.split('#', 1)
  const start = beforeFragment.indexOf('?')
  return new URLSearchParams(start === -1 ? '' : beforeFragment.slice(start + 1).replaceAll(';', '&'))
}
