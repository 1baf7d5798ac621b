import { useTitle } from '../core/title.ts'

export function View() {
  useTitle('user')
  return <main id="main" class="page" />
}
