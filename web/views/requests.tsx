import { useTitle } from '../core/title.ts'

export function View() {
  useTitle('requests')
  return <main id="main" class="page" />
}
