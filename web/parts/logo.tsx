import { siteLogo } from '../core/look.ts'
import { Icon } from './icon.tsx'

/** The logo of this installation. The name stands beside it, so that it needs no words of its own. */
export function Logo() {
  return siteLogo.value === '' ? <Icon name="logo" /> : <img class="logo" src={siteLogo.value} alt="" />
}
