import { useTitle } from '../core/title.ts'

export function View() {
  useTitle('home')
  return <main id="main" class="page" />
}
