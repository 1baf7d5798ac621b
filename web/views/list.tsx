import { useTitle } from '../core/title.ts'

export function View() {
  useTitle('list')
  return <main id="main" class="page" />
}
