import { useTitle } from '../core/title.ts'

export function View() {
  useTitle('bug')
  return <main id="main" class="page" />
}
