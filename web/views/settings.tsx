import { useTitle } from '../core/title.ts'

export function View() {
  useTitle('settings')
  return <main id="main" class="page" />
}
