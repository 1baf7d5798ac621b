import { useTitle } from '../core/title.ts'

export function View() {
  useTitle('products')
  return <main id="main" class="page" />
}
