import { useTitle } from '../core/title.ts'

export function View() {
  useTitle('product')
  return <main id="main" class="page" />
}
