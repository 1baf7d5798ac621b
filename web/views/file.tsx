import { useTitle } from '../core/title.ts'

export function View() {
  useTitle('file')
  return <main id="main" class="page" />
}
