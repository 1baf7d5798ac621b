import { useTitle } from '../core/title.ts'

export function View() {
  useTitle('help')
  return <main id="main" class="page" />
}
