import { useTitle } from '../core/title.ts'

export function View() {
  useTitle('design')
  return <main id="main" class="page" />
}
